/* Has the user asked the run to stop? */
#ifndef SWIZZLEBENCH_HARNESS_STOP_H
#define SWIZZLEBENCH_HARNESS_STOP_H

/* From here on SIGINT, SIGTERM and SIGHUP are counted and do not end the program, and a write to
 * a full pipe or beyond the file size limit is an error instead of a signal. Processes that are
 * forked later read the same count. */
void stop_catch(void);

/* In such a process: the parent alone counts. A Ctrl-C reaches them all, and is one request. */
void stop_leave_to_parent(void);

/* How often it was asked. Once: finish the case in flight. Twice: at once. */
int stop_requests(void);

#endif
