/* The completion for bash: one function with a case per command. It calls neither costab nor the package
 * bash-completion. It works with bash 3.2, with one flaw: a blank after folders and lists. */
#include <stdio.h>

#include "cli/command.h"

static void put_words(const cli_takes *takes) {
    const char *word, *gap = "";
    for (int i = 0; takes->each != NULL && (word = takes->each(i)) != NULL; i++, gap = " ")
        printf("%s%s", gap, word);
    if (takes->words != NULL) printf("%s%s", gap, takes->words);
}

/* Prints the shell call that completes a value of this kind. */
static void put_call(const cli_takes *takes) {
    static const char *const calls[] = {
        [CLI_FILE] = "_costab_files", [CLI_WORD] = "_costab_words", [CLI_WORDS] = "_costab_list"};
    printf("%s ", calls[takes->kind]);
    put_words(takes);
}

/* Prints an option as a pattern of the shell's `case`; the case already has `before` patterns. */
static void put_pattern(const cli_option *row, int before) {
    fputs(before > 0 ? " | " : "        ", stdout);
    if (row->letter != 0) printf("-%c | ", row->letter);
    printf("--%s", row->name);
}

static void put_command(const cli_command *command) {
    int count = cli_option_number(command), unknown = 0;
    printf("    %s)\n        options='", command->name);
    for (int k = 0; k < count; k++) printf("%s--%s", k > 0 ? " " : "", command->options[k]->name);
    puts("'\n        case $option in");
    for (int k = 0; k < count; k++) {
        const cli_option *row = command->options[k];
        if (row->argument == NULL || row->takes == NULL) continue;
        put_pattern(row, 0);
        fputs(") ", stdout);
        put_call(row->takes);
        puts(" ;;");
    }
    for (int k = 0; k < count; k++) {
        const cli_option *row = command->options[k];
        if (row->argument != NULL && row->takes == NULL) put_pattern(row, unknown++);
    }
    fputs(unknown > 0 ? ") ;;\n        *) " : "        *) ", stdout);
    if (command->operands != NULL) {
        fputs("_costab_operand || ", stdout);
        put_call(command->operands->takes);
    } else {
        fputs("_costab_words $options", stdout);
    }
    puts(" ;;\n        esac\n        ;;");
}

static const char helpers[] =
    "# Completion of costab for bash, made by costab help --completion bash.\n"
    "\n"
    "_costab_words() { # word...\n"
    "    COMPREPLY=($(compgen -W \"$*\" -- \"$current\"))\n"
    "}\n"
    "\n"
    "_costab_list() { # word...: those that the list does not have yet\n"
    "    local given= word\n"
    "    case $current in *,*) given=${current%,*}, ;; esac\n"
    "    for word; do\n"
    "        case ,$given in *,\"$word\",*) continue ;; esac\n"
    "        case $given$word in \"$current\"*) COMPREPLY+=(\"$given$word\") ;; esac\n"
    "    done\n"
    "    compopt -o nospace 2>/dev/null\n"
    "    true\n"
    "}\n"
    "\n"
    "_costab_files() { # ending...: these files, and all folders\n"
    "    local name ending\n"
    "    while IFS= read -r name; do\n"
    "        COMPREPLY+=(\"$name\")\n"
    "    done < <(\n"
    "        compgen -d -- \"$current\"\n"
    "        for ending; do compgen -f -X \"!*$ending\" -- \"$current\"; done\n"
    "    )\n"
    "    compopt -o filenames 2>/dev/null\n"
    "    true\n"
    "}\n"
    "\n"
    "_costab_operand() { # false for an operand; else an option is begun, and completed\n"
    "    case $current in -*) _costab_words $options ;; *) false ;; esac\n"
    "}\n"
    "\n"
    "_costab() {\n"
    "    local current=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]} options\n"
    "    COMPREPLY=()\n"
    "    # bash cuts --option=value into three words\n"
    "    if [ \"$current\" = = ]; then\n"
    "        current=\n"
    "    elif [ \"$option\" = = ] && [ \"$COMP_CWORD\" -gt 2 ]; then\n"
    "        option=${COMP_WORDS[COMP_CWORD - 2]}\n"
    "    fi\n";

void cli_completion(const cli_command *const *commands) {
    puts(helpers);
    fputs("    if [ \"$COMP_CWORD\" = 1 ]; then\n        _costab_words", stdout);
    for (int i = 0; commands[i] != NULL; i++) printf(" %s", commands[i]->name);
    puts(" --help --version\n        return\n    fi\n    case ${COMP_WORDS[1]} in");
    for (int i = 0; commands[i] != NULL; i++) put_command(commands[i]);
    puts("    esac\n}\n\ncomplete -F _costab costab");
}
