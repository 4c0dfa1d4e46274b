"""Programs of several languages in the jail: what they do to run and to compute is allowed."""

import shlex
import shutil
import subprocess

import pytest
from helpers import PATIENCE, need
from host.hosting import EASY, play_message, start_message
from host.jailing import JAILED, need_level
from msgspec.structs import replace

from joute.host import HostedBot, command_for, parse_bot
from joute.host.command import environment, program_command
from joute.host.limits import BotLimits
from joute.host.runtimes import started

pytestmark = pytest.mark.full

C = r"""
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t woken = PTHREAD_COND_INITIALIZER;
static volatile sig_atomic_t rang;
static int count;
static void ring(int number) { rang = number; }
static void *work(void *_) {
    pthread_mutex_lock(&lock);
    count++;
    pthread_cond_signal(&woken);
    pthread_mutex_unlock(&lock);
    return _;
}
static void *wait_for_end(void *_) { for (;;) pause(); return _; }
#define CHECK(what) if (!(what)) { printf("%s: %s\n", #what, strerror(errno)); return 1; }

int main(void) {
    pthread_t threads[8];
    for (int i = 0; i < 8; i++) CHECK(!pthread_create(&threads[i], 0, work, 0));
    pthread_mutex_lock(&lock);
    while (count < 8) pthread_cond_wait(&woken, &lock);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < 8; i++) CHECK(!pthread_join(threads[i], 0));
    CHECK(!pthread_create(&threads[0], 0, wait_for_end, 0));
    CHECK(!pthread_cancel(threads[0]) && !pthread_join(threads[0], 0));
    signal(SIGALRM, ring);
    struct itimerval soon = {{0, 0}, {0, 1000}};
    CHECK(!setitimer(ITIMER_REAL, &soon, 0));
    while (!rang) usleep(1000);
    int ends[2], many = epoll_create1(0), event = eventfd(0, 0);
    CHECK(!socketpair(AF_UNIX, SOCK_STREAM, 0, ends) && send(ends[0], "hello", 5, 0) == 5);
    struct epoll_event in = {EPOLLIN, {0}}, out;
    CHECK(event >= 0 && !epoll_ctl(many, EPOLL_CTL_ADD, ends[1], &in));
    CHECK(epoll_wait(many, &out, 1, 1000) == 1);
    char *area = mmap(0, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(area != MAP_FAILED && !mprotect(area, 1 << 20, PROT_READ | PROT_EXEC));
    CHECK(!madvise(area, 1 << 20, MADV_DONTNEED) && !munmap(area, 1 << 20));
    cpu_set_t cores;
    CHECK(!sched_getaffinity(0, sizeof cores, &cores));
    pid_t child = fork();
    if (!child) { execlp("true", "true", (char *)0); _exit(1); }
    int status;
    CHECK(waitpid(child, &status, 0) == child && !status);
    char *words[] = {"true", 0}, *none[] = {0};
    CHECK(!posix_spawnp(&child, "true", 0, 0, words, none));
    CHECK(waitpid(child, &status, 0) == child && !status);
    FILE *pipe = popen("echo from a shell", "r");
    char line[64];
    CHECK(pipe && fgets(line, 64, pipe) && !pclose(pipe));
    char path[256];
    snprintf(path, 256, "%s/note", getenv("TMPDIR"));
    FILE *file = fopen(path, "w+");
    CHECK(file && fputs("kept", file) >= 0 && !fflush(file) && !fsync(fileno(file)));
    CHECK(!ftruncate(fileno(file), 2) && !fclose(file) && !unlink(path));
    puts("all of it");
    return 0;
}
"""

BASH = """
set -e
words=$(echo hello | tr a-z A-Z)
echo "$words" > "$TMPDIR/z"
cp "$TMPDIR/z" "$TMPDIR/y" && mv "$TMPDIR/y" "$TMPDIR/x" && ls -l "$TMPDIR" > /dev/null
(sleep 0.01; echo later >> "$TMPDIR/x") & wait
sort "$TMPDIR/x" | uniq -c | awk '{print $2}' | sed 's/HELLO/all of it/' | head -1
"""

JAVA = """
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.*;
public class Mine {
    public static void main(String[] words) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(4);
        List<Future<Integer>> found = new ArrayList<>();
        for (int i = 0; i < 8; i++) { int k = i; found.add(pool.submit(() -> k * k)); }
        int sum = 0;
        for (Future<Integer> each : found) sum += each.get();
        pool.shutdown();
        Path note = Path.of(System.getenv("TMPDIR"), "note");
        Files.writeString(note, "of it");
        System.gc();
        System.out.println((sum == 140 ? "all " : "not all ") + Files.readString(note));
    }
}
"""

NODE = """
const { Worker, isMainThread, parentPort } = require("worker_threads");
const fs = require("fs");
if (isMainThread) new Worker(__filename).on("message", (found) => {
    const note = process.env.TMPDIR + "/note";
    fs.writeFileSync(note, " of it");
    setTimeout(() => console.log(found + fs.readFileSync(note)), 1);
});
else parentPort.postMessage("all");
"""

GO = """
package main
import ("fmt"; "os"; "sync"; "time")
func main() {
    var group sync.WaitGroup
    for i := 0; i < 50; i++ {
        group.Add(1)
        go func() { time.Sleep(time.Millisecond); group.Done() }()
    }
    group.Wait()
    note := os.Getenv("TMPDIR") + "/note"
    os.WriteFile(note, []byte("all of it"), 0600)
    said, _ := os.ReadFile(note)
    fmt.Println(string(said))
}
"""


def compiled(folder, name, source, words):
    """Writes a program and makes it; the words may be none."""
    (folder / name).write_text(source)
    if words:
        subprocess.run(words, cwd=folder, check=True, capture_output=True)


def made(language, folder):
    """The command that runs a program of a language."""
    if language == "c":
        compiled(folder, "mine.c", C, [need("gcc"), "-pthread", "-o", "mine", "mine.c"])
        return ["./mine"]
    if language == "bash":
        compiled(folder, "mine.sh", BASH, [])
        return [need("bash"), "mine.sh"]
    # No machine of ours has all of these: those that it has are tried.
    program = shutil.which({"java": "java", "node": "node", "go": "go"}[language])
    if program is None or (language == "java" and shutil.which("javac") is None):
        pytest.skip(f"{language} is not installed")
    if language == "java":
        compiled(folder, "Mine.java", JAVA, ["javac", "Mine.java"])
        return [program, "-cp", ".", "Mine"]
    if language == "go":
        compiled(folder, "mine.go", GO, [program, "build", "-o", "mine", "mine.go"])
        return ["./mine"]
    compiled(folder, "mine.js", NODE, [])
    return [program, "mine.js"]


@pytest.mark.parametrize("level", JAILED)
@pytest.mark.parametrize("language", ["c", "bash", "java", "node", "go"])
def test_a_program_of_another_language_does_in_the_jail_what_it_is_used_to(
    language, level, tmp_path
):
    need_level(level)
    words = made(language, tmp_path)
    limits = BotLimits(memory_mb=1024, readable=(str(tmp_path),))
    done = subprocess.run(
        program_command(words, limits, tmp_path, level=level),
        env=environment("test"),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        start_new_session=True,
        timeout=PATIENCE,
    )
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "all of it", "")


PLAYING = {
    "node": ("mine.js", """
require("crypto").randomBytes(8);
const lines = require("readline").createInterface({ input: process.stdin });
lines.on("line", (line) => {
    const message = JSON.parse(line);
    if (message.type === "end") process.exit(0);
    const start = message.type === "start";
    const answer = start ? { type: "ready" }
        : { type: "action", action: message.observation.legal[0] };
    console.log(JSON.stringify(answer));
});
"""),
    "java": ("Mine.java", r"""
import java.io.*;
import java.security.*;
import java.util.regex.*;
public class Mine {
    public static void main(String[] words) throws Exception {
        new SecureRandom().nextInt();
        MessageDigest.getInstance("SHA-256").digest();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = in.readLine()) != null && !line.contains("\"end\""); ) {
            Matcher legal = Pattern.compile("\"legal\":\\[(\\d+)").matcher(line);
            System.out.println(legal.find()
                ? "{\"type\":\"action\",\"action\":" + legal.group(1) + "}"
                : "{\"type\":\"ready\"}");
        }
    }
}
"""),
    "perl": ("mine.pl", r"""
use POSIX; use JSON::PP; $| = 1;
while (<STDIN>) {
    my $message = decode_json($_);
    exit 0 if $message->{type} eq "end";
    print encode_json($message->{type} eq "start" ? { type => "ready" }
        : { type => "action", action => $message->{observation}{legal}[0] }), "\n";
}
"""),
    "ruby": ("mine.rb", """
require "json"
require "securerandom"
$stdout.sync = true
SecureRandom.hex
STDIN.each_line do |line|
  message = JSON.parse(line)
  exit if message["type"] == "end"
  puts (message["type"] == "start" ? { type: "ready" }
    : { type: "action", action: message["observation"]["legal"][0] }).to_json
end
"""),
    "php": ("mine.php", r"""<?php
random_bytes(8);
while (($line = fgets(STDIN)) !== false) {
    $message = json_decode($line, true);
    if ($message["type"] === "end") exit;
    echo json_encode($message["type"] === "start" ? ["type" => "ready"]
        : ["type" => "action", "action" => $message["observation"]["legal"][0]]), "\n";
}
"""),
    "lua": ("mine.lua", r"""
io.stdout:setvbuf("no")
for line in io.lines() do
  local legal = line:match('"legal":%[(%d+)')
  if line:find('"end"', 1, true) then break end
  print(legal and '{"type":"action","action":' .. legal .. "}" or '{"type":"ready"}')
end
"""),
}  # fmt: skip
"""By its program, a bot in each runtime, in a file; one that also draws from secure randomness."""

COMPILERS = {"java": ["javac", "Mine.java"]}
WORDS = {"java": ["java", "-cp", ".", "Mine"]}


@pytest.mark.parametrize("level", JAILED)
@pytest.mark.parametrize("language", PLAYING)
def test_a_bot_in_each_runtime_that_is_installed_plays_in_the_jail(language, level, tmp_path):
    need_level(level)
    compiler = COMPILERS.get(language, [])
    # No machine of ours has all of these: those that it has are tried.
    for program in (language, *compiler[:1]):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
    name, source = PLAYING[language]
    compiled(tmp_path, name, source, compiler)
    words = WORDS.get(language, [language, name])
    spec = parse_bot(f"program:{shlex.join(words)}", tmp_path)
    limits = replace(EASY, memory_mb=1024, readable=(str(tmp_path),))
    bot = HostedBot(command_for(spec, limits, level), limits)
    try:
        answer = bot.start(start_message())
        assert (answer.fault, answer.detail) == (None, ""), answer.output
        for legal in ([1, 2], [45, 46], [99, 100]):
            answer = bot.ask(play_message(legal=legal))
            assert (answer.action, answer.detail) == (legal[0], "")
    finally:
        bot.close()


def test_a_runtime_that_starts_is_told_from_one_that_does_not_and_from_one_that_is_absent():
    runtimes = {
        "shell": ("sh", "-c", "exit 0"),
        "stuck": ("sh", "-c", "echo first >&2; echo no such luck >&2; exit 3"),
        "mute": ("sh", "-c", "exit 4"),
        "absent": ("no-such-program",),
    }
    found = [(each.name, each.trouble) for each in started(runtimes)]
    assert found == [("shell", ""), ("stuck", "no such luck"), ("mute", "status 4")]
