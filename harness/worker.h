/* Who touches the GPU? A worker process, so that a fault, a hang or a crash costs one case.
 *
 * The parent asks for one case at a time and waits for the row; it never calls CUDA itself, which
 * is what makes a fork without exec safe. A worker that died, hung or reported a fault is reaped
 * and gone; the caller starts another. A worker dies with its parent.
 */
#ifndef SWIZZLEBENCH_HARNESS_WORKER_H
#define SWIZZLEBENCH_HARNESS_WORKER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "harness/error.h"
#include "harness/family.h"
#include "harness/gpu.h"

enum backend { BACKEND_GPU, BACKEND_MODEL }; /* the model's worker predicts and opens no GPU */

enum { DEVICE_NONE = -1 };

/* What every worker of a run is made with. `measure.counters` says whether they are wanted; the
 * worker switches them off where they cannot be had. `measure.extra_column` is set per family. */
struct worker_job {
    enum backend backend;
    int device; /* DEVICE_NONE: open no GPU, only count them */
    double case_limit_s;
    struct measure_options measure;
};

/* What a worker says once it is ready. */
struct worker_greeting {
    int gpu_count;           /* under DEVICE_NONE */
    struct gpu_info gpu;     /* zeros under BACKEND_MODEL and DEVICE_NONE */
    char no_counters[256];   /* why there are none and the remedy; "" when they work */
    char unknown_metric[96]; /* the first of measure.extra_metrics that this GPU lacks, or "" */
};

struct worker {
    const struct worker_job *job;
    pid_t pid;               /* 0: none */
    int socket;              /* to the worker; keeps messages apart (SOCK_SEQPACKET) */
    unsigned started;        /* how many this run has had */
    double asked_s, limit_s; /* the case in flight: when, and how long it may take */
};

void worker_init(struct worker *worker, const struct worker_job *job);

/* Forks a worker and waits until it has opened its GPU, or `family` on it. On failure the worker
 * is gone and *error says why, with the kind that the worker gave (ERROR_MACHINE: no such GPU). */
bool worker_start(struct worker *worker, struct worker_greeting *greeting, struct error *error);
bool worker_open_family(struct worker *worker, const struct family *family, struct error *error);

/* Sends the first of these cases of the family that is open on its way; those behind it the worker
 * may work on in advance. They must have been in place when the worker was started. */
void worker_ask(struct worker *worker, const size_t *cases, size_t count);

/* Waits for the answer to worker_ask, at most `milliseconds`.
 *   WORKER_BUSY  not yet
 *   WORKER_ROW   *row holds it; the worker is ready for the next
 *   WORKER_LOST  no row will come and the worker is gone; error->text is the row's reason */
enum worker_answer { WORKER_BUSY, WORKER_ROW, WORKER_LOST };
enum worker_answer worker_wait(struct worker *worker, int milliseconds, struct row *row,
                               struct error *error);

/* The case in flight gets at most this much longer. */
void worker_hurry(struct worker *worker, double seconds);

/* Lets an idle worker close its GPU and end; ends it by force where it does not. */
void worker_end(struct worker *worker);

/* ---- Between worker.c and worker_child.c -------------------------------------------------- */

enum request_kind { REQUEST_OPEN_FAMILY, REQUEST_MEASURE };

/* The family and the cases travel as pointers: worker and parent are the same image. */
struct worker_request {
    enum request_kind kind;
    const struct family *family;
    const size_t *cases;
    size_t case_count;
};

enum reply_kind { REPLY_READY, REPLY_ROW, REPLY_ERROR }; /* after an error the worker ends */

struct worker_reply {
    enum reply_kind kind;
    struct error error;
    union {
        struct worker_greeting greeting;
        struct row row;
    };
};

/* The worker's whole life. */
_Noreturn void worker_child(int socket, const struct worker_job *job, unsigned worker_number,
                            pid_t parent);

#endif
