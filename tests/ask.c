/* What does a command of the program answer to a line of words? */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/ask.h"

enum { MAX_WORDS = 96 };

static void read_back(FILE *from, char *text)
{
    rewind(from);
    text[fread(text, 1, ASK_OUTPUT_BYTES - 1, from)] = '\0';
    fclose(from);
}

static int split(char *words, char **argv)
{
    int argc = 0;
    while (argc < MAX_WORDS && (argv[argc] = strsep(&words, " ")) != NULL) {
        if (strcmp(argv[argc], "''") == 0)
            argv[argc][0] = '\0';
        for (char *at = argv[argc]; *at; at++)
            *at = *at == '~' ? ' ' : *at;
        argc++;
    }
    argv[argc] = NULL;
    return argc;
}

struct answer *ask(const struct command *command, const char *line)
{
    static struct answer answer;
    char words[4096], *argv[MAX_WORDS + 1];
    int status;
    FILE *out = tmpfile(), *err = tmpfile();
    snprintf(words, sizeof words, "%s", line);
    int argc = split(words, argv);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        dup2(fileno(out), STDOUT_FILENO);
        dup2(fileno(err), STDERR_FILENO);
        status = command->run(argc, argv);
        fflush(NULL);
        _exit(status);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    answer.status = WEXITSTATUS(status);
    read_back(out, answer.out);
    read_back(err, answer.err);
    return &answer;
}

struct answer *ask_well(const struct command *command, const char *line)
{
    struct answer *answer = ask(command, line);
    if (answer->status != 0)
        fail_msg("exit status %d of %s: %s", answer->status, line, answer->err);
    assert_string_equal(answer->err, "");
    return answer;
}

void assert_contains(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("'%s' is not in: %s", part, text);
}

void ask_bad(const struct command *command, const char *line, const char *part)
{
    const struct answer *answer = ask(command, line);
    if (answer->status != 2)
        fail_msg("exit status %d of: %s", answer->status, line);
    assert_contains(answer->err, part);
    assert_ptr_equal(strchr(answer->err, '\n'), answer->err + strlen(answer->err) - 1);
}
