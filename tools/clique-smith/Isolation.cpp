//===- Isolation.cpp - A case in a process of its own ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/clique-smith/Isolation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <cstring>
#include <dlfcn.h>
#include <execinfo.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/// In builds that count lines: writes what this process counted.
extern "C" int __attribute__((weak))
__llvm_profile_write_file(); // NOLINT(readability-identifier-naming)

using namespace clique::smith;

using Clock = std::chrono::steady_clock;

static double getSeconds(Clock::time_point since) {
  return std::chrono::duration<double>(Clock::now() - since).count();
}

static double getSeconds(const timeval &time) {
  return double(time.tv_sec) + 1e-6 * double(time.tv_usec);
}

//===----------------------------------------------------------------------===//
// In the copy
//===----------------------------------------------------------------------===//

void Report::write(char kind, const std::string &text) {
  // One line each; the time is the process's own, whatever else runs.
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  std::string line(1, kind);
  line += std::to_string(double(now.tv_sec) + 1e-9 * double(now.tv_nsec)) + " ";
  for (char c : text)
    line += c == '\n' ? ' ' : c;
  line += "\n";
  if (::write(file, line.data(), line.size()) < 0)
    _exit(99);
}

void Report::enterPhase(const std::string &name) { write('p', name); }
void Report::addRun(const std::string &name) { write('r', name); }
void Report::fail(const std::string &failure, const std::string &message) {
  write('f', failure + "\t" + message);
}

/// Says where it happened; the innermost functions tell one crash from another.
static void reportCrash(int signal) {
  void *frames[24];
  const int count = backtrace(frames, 24);
  for (int k = 0, printed = 0; k < count && printed < 10; ++k) {
    Dl_info info;
    if (!dladdr(frames[k], &info) || !info.dli_sname)
      continue;
    dprintf(2, "crash: %s\n", info.dli_sname);
    ++printed;
  }
  std::signal(signal, SIG_DFL);
  raise(signal);
}

static void catchCrashes() {
  // Also when the stack is full.
  static char stack[1 << 16];
  stack_t other = {};
  other.ss_sp = stack;
  other.ss_size = sizeof(stack);
  sigaltstack(&other, nullptr);
  struct sigaction action = {};
  action.sa_handler = reportCrash;
  action.sa_flags = SA_ONSTACK;
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
    sigaction(signal, &action, nullptr);
}

[[noreturn]] static void runBody(int report, int log, const Limits &limits,
                                 const std::function<void(Report &)> &body) {
  setpgid(0, 0);
  dup2(log, 1);
  dup2(log, 2);
#if !__has_feature(address_sanitizer) // which takes more than there is
  const rlimit memory = {limits.bytes, limits.bytes};
  setrlimit(RLIMIT_DATA, &memory);
#endif
  const auto seconds = rlim_t(limits.seconds);
  const rlimit time = {seconds, seconds + 1};
  setrlimit(RLIMIT_CPU, &time);
  const rlimit noCore = {0, 0};
  setrlimit(RLIMIT_CORE, &noCore);
  catchCrashes();
  Report out(report);
  body(out);
  out.enterPhase("end");
  llvm::outs().flush();
  if (__llvm_profile_write_file)
    __llvm_profile_write_file();
  // Without destructors, which are no part of the case.
  _exit(0);
}

//===----------------------------------------------------------------------===//
// In the driver
//===----------------------------------------------------------------------===//

Workers::~Workers() {
  for (const Worker &worker : running) {
    kill(-worker.pid, SIGKILL);
    kill(worker.pid, SIGKILL);
    waitpid(worker.pid, nullptr, 0);
    close(worker.process);
    close(worker.report);
    close(worker.log);
  }
}

void Workers::start(uint64_t id, const std::function<void(Report &)> &body) {
  Worker worker{
      id,          0, -1, memfd_create("report", 0), memfd_create("log", 0),
      Clock::now()};
  llvm::outs().flush();
  worker.pid = fork();
  if (worker.pid == 0)
    runBody(worker.report, worker.log, limits, body);
  worker.process = int(syscall(SYS_pidfd_open, worker.pid, 0));
  running.push_back(worker);
}

static std::string readAll(int file) {
  std::string text;
  char buffer[4096];
  lseek(file, 0, SEEK_SET);
  for (ssize_t size; (size = read(file, buffer, sizeof(buffer))) > 0;)
    text.append(buffer, size_t(size));
  close(file);
  return text;
}

/// The line of a log that says most.
static std::string findMessage(llvm::StringRef log) {
  std::string crash;
  llvm::SmallVector<llvm::StringRef> lines;
  log.split(lines, '\n');
  for (llvm::StringRef line : lines)
    if (line.contains("LLVM ERROR") || line.contains("Assertion"))
      return line.str();
  for (llvm::StringRef line : lines)
    if (line.consume_front("crash: ") && !line.contains("reportCrash") &&
        !line.starts_with("__") && !line.starts_with("abort") &&
        !line.starts_with("gsignal") && !line.starts_with("raise") &&
        llvm::count(crash, ' ') < 3)
      crash += (crash.empty() ? "" : " ") + line.str();
  if (!crash.empty())
    return crash;
  for (llvm::StringRef line : lines) {
    const size_t at = line.find("error: ");
    if (at != llvm::StringRef::npos)
      return line.substr(at).str();
  }
  return log.trim().split('\n').first.str();
}

Outcome Workers::finish(const Worker &worker, int status, bool isLate,
                        double processor) {
  Outcome outcome;
  outcome.processor = processor;
  const std::string report = readAll(worker.report);
  outcome.log = readAll(worker.log);
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(report).split(lines, '\n', -1, /*KeepEmpty=*/false);
  double before = 0;
  for (llvm::StringRef line : lines) {
    const char kind = line.front();
    auto [stamp, text] = line.drop_front().split(' ');
    double now = 0;
    stamp.getAsDouble(now);
    if (kind == 'r')
      outcome.runs.push_back(text.str());
    if (kind == 'f') {
      auto [failure, message] = text.split('\t');
      outcome.failure = failure.str();
      outcome.message = message.str();
      // The linker says why on standard error only.
      if (outcome.message.empty() || text.contains("Failed to materialize"))
        outcome.message = findMessage(outcome.log);
    }
    if (kind != 'p')
      continue;
    if (!outcome.phase.empty())
      outcome.seconds.emplace_back(outcome.phase, now - before);
    before = now;
    if (text != "end")
      outcome.phase = text.str();
  }
  const bool isOver = WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU ||
                                              WTERMSIG(status) == SIGKILL);
  if (isLate || isOver) {
    outcome.failure = "hang";
    outcome.message = "not done after the time limit";
  } else if (WIFSIGNALED(status)) {
    outcome.failure = "crash";
    outcome.message = std::string(strsignal(WTERMSIG(status))) + ": " +
                      findMessage(outcome.log);
  } else if (outcome.isOk() && WEXITSTATUS(status) != 0) {
    outcome.failure = "crash";
    outcome.message = "exit " + std::to_string(WEXITSTATUS(status)) + ": " +
                      findMessage(outcome.log);
  }
  return outcome;
}

/// Whoever waits for ever has no time of its own that a limit could end. Nor is
/// the clock's a limit: others may have the processors.
bool Workers::isStuck(Worker &worker) const {
  clockid_t clock;
  timespec now;
  if (clock_getcpuclockid(worker.pid, &clock) == 0 &&
      clock_gettime(clock, &now) == 0) {
    const double processor = double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
    if (processor > worker.processor) {
      worker.processor = processor;
      worker.lastSeen = Clock::now();
    }
  }
  return getSeconds(worker.lastSeen) > 10 * limits.seconds;
}

std::pair<uint64_t, Outcome> Workers::wait() {
  while (true) {
    for (auto *it = running.data(), *end = it + running.size(); it != end;
         ++it) {
      int status = 0;
      const bool isLate = isStuck(*it);
      if (isLate) {
        kill(-it->pid, SIGKILL);
        kill(it->pid, SIGKILL);
      }
      rusage usage;
      if (wait4(it->pid, &status, isLate ? 0 : WNOHANG, &usage) != it->pid)
        continue;
      const Worker worker = *it;
      close(worker.process);
      running.erase(running.begin() + (it - running.data()));
      return {worker.id,
              finish(worker, status, isLate,
                     getSeconds(usage.ru_utime) + getSeconds(usage.ru_stime))};
    }
    llvm::SmallVector<pollfd> ends;
    for (const Worker &worker : running)
      ends.push_back({worker.process, POLLIN, 0});
    constexpr int milliseconds = 1000;
    poll(ends.data(), ends.size(), milliseconds);
  }
}

Outcome clique::smith::runIsolated(const Limits &limits,
                                   const std::function<void(Report &)> &body) {
  Workers workers(limits);
  workers.start(0, body);
  return workers.wait().second;
}
