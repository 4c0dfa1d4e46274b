"""Sources of bots in compiled languages, for tests of several parts."""

from pathlib import Path

C = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char line[1 << 20];

int main(void) {
    while (fgets(line, sizeof line, stdin) && !strstr(line, "\"type\":\"end\"")) {
        if (strstr(line, "\"type\":\"start\""))
            puts("{\"type\":\"ready\"}");
        else
            printf("{\"type\":\"action\",\"action\":%d}\n", atoi(strstr(line, "\"legal\":[") + 9));
        fflush(stdout);
    }
    return 0;
}
"""
RUST = r"""
use std::io::{self, BufRead, Write};

fn main() {
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        if line.contains("\"type\":\"end\"") {
            break;
        }
        let answer = match line.split("\"legal\":[").nth(1) {
            Some(rest) => {
                let number: String = rest.chars().take_while(char::is_ascii_digit).collect();
                format!("{{\"type\":\"action\",\"action\":{number}}}")
            }
            None => "{\"type\":\"ready\"}".to_string(),
        };
        println!("{answer}");
        io::stdout().flush().unwrap();
    }
}
"""
IN_C = {"joute.toml": '[build]\ncommand = "cc -o bot bot.c"\n', "bot.c": C}
IN_RUST = {"joute.toml": '[build]\ncommand = "rustc -o bot bot.rs"\n', "bot.rs": RUST}


def written(folder: Path, files: dict[str, str]) -> Path:
    """A folder with these files."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder
