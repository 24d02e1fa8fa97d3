// offread-zim FILE: responds to requests of offread about a ZIM file (openZIM, as used by Kiwix).
//
// It is a separate program because libzim is licensed under the GPL and offread under the MIT license. It reads requests,
// one per line, and responds to each in turn until the end of the input. Paths are percent-encoded.
//
//   main                the main page of the file
//   get PATH            the content at a path, following redirects
//   search N WORDS      at most N pages that contain the words
//   suggest N WORDS     at most N pages whose titles contain the words or start with them
//
// A response is a line of fields separated by tabs, followed by LENGTH bytes:
//
//   ok LENGTH TYPE PATH DATE TITLE    DATE is that of the file, such as 2024-05-31, or empty
//   none                              the content does not exist
//   failed MESSAGE
//
// The content of a search is a line for each page: PATH, TITLE and an excerpt as markup, separated by tabs.
//
// SPDX-License-Identifier: MIT (this file; the program built from it is subject to the license of libzim)

#include <zim/archive.h>
#include <zim/entry.h>
#include <zim/error.h>
#include <zim/item.h>
#include <zim/search.h>
#include <zim/suggestion.h>

#include <sys/resource.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>

#ifdef __linux__
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstddef>
#include <vector>
#endif

namespace {

// The maximum size of content in bytes; offread does not read more.
constexpr zim::size_type largest = 60 << 20;
constexpr std::size_t longestLine = 1 << 16;
constexpr int mostResults = 1000;

#ifdef __linux__

#if defined(__x86_64__)
constexpr unsigned ownArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr unsigned ownArchitecture = AUDIT_ARCH_AARCH64;
#else
constexpr unsigned ownArchitecture = 0;
#endif

// Blocks the network, other programs and changes to files, even if a ZIM file exploits the libraries.
void giveUp() {
  if (ownArchitecture == 0) return;
  const unsigned number = offsetof(seccomp_data, nr);
  const unsigned writing = O_ACCMODE | O_CREAT | O_TRUNC;
  const auto argument = [](unsigned index) {
    return static_cast<unsigned>(offsetof(seccomp_data, args) + 8 * index);
  };
  std::vector<sock_filter> filter{
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ownArchitecture, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, number),
      // The x32 ABI has its own system call numbers.
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
  };
  const auto refuse = [&](unsigned call) {
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1));
    filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES));
  };
  const auto refuseWriting = [&](unsigned call, unsigned flags) {
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 4));
    filter.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, argument(flags)));
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, writing, 0, 1));
    filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES));
    filter.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, number));
  };
  for (unsigned call : {
           __NR_socket, __NR_connect, __NR_bind, __NR_sendto, __NR_sendmsg, __NR_execve,
           __NR_execveat, __NR_ptrace, __NR_process_vm_writev, __NR_kill, __NR_unlinkat,
           __NR_renameat2, __NR_mkdirat, __NR_linkat, __NR_symlinkat, __NR_mknodat, __NR_truncate,
           __NR_fchmodat, __NR_fchownat, __NR_openat2, __NR_io_uring_setup, __NR_memfd_create,
           __NR_mount, __NR_setxattr,
#ifdef __NR_open
           __NR_creat, __NR_unlink, __NR_rename, __NR_mkdir, __NR_rmdir, __NR_link, __NR_symlink,
           __NR_mknod, __NR_chmod, __NR_chown, __NR_fork, __NR_vfork,
#endif
#ifdef __NR_renameat
           __NR_renameat,
#endif
       }) {
    refuse(call);
  }
  refuseWriting(__NR_openat, 2);
#ifdef __NR_open
  refuseWriting(__NR_open, 1);
#endif
  filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) {
    // Ignores an error: without seccomp, the limits of the process still apply.
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
  }
}

#else
void giveUp() {}
#endif

void limit(int resource, rlim_t most) {
  rlimit now{};
  if (getrlimit(static_cast<decltype(RLIMIT_CORE)>(resource), &now) != 0) return;
  now.rlim_cur = now.rlim_max = std::min(most, now.rlim_max);
  setrlimit(static_cast<decltype(RLIMIT_CORE)>(resource), &now);
}

std::string encoded(const std::string& path) {
  const char* digits = "0123456789ABCDEF";
  std::string text;
  for (unsigned char byte : path) {
    if (byte <= 0x20 || byte >= 0x7F || byte == '%') {
      text += {'%', digits[byte >> 4], digits[byte & 15]};
    } else {
      text += static_cast<char>(byte);
    }
  }
  return text;
}

std::string decoded(const std::string& text) {
  std::string path;
  for (std::size_t place = 0; place < text.size(); place += 1) {
    const bool isEncoded = text[place] == '%' && place + 2 < text.size() &&
                           std::isxdigit(static_cast<unsigned char>(text[place + 1])) &&
                           std::isxdigit(static_cast<unsigned char>(text[place + 2]));
    if (isEncoded) {
      path += static_cast<char>(std::stoi(text.substr(place + 1, 2), nullptr, 16));
      place += 2;
    } else {
      path += text[place];
    }
  }
  return path;
}

// Replaces control characters, which include the separators of lines and fields, by spaces.
std::string field(std::string text) {
  for (char& byte : text) {
    if (static_cast<unsigned char>(byte) < 0x20 || byte == 0x7F) byte = ' ';
  }
  return text;
}

void fail(const std::string& words) { std::cout << "failed\t" << field(words) << '\n'; }

class Answers {
 public:
  explicit Answers(const std::string& path) : archive(path), date(dateOf(archive)) {}

  void to(const std::string& line) const {
    const std::size_t space = line.find(' ');
    const std::string verb = line.substr(0, space);
    const std::string rest = space == std::string::npos ? "" : line.substr(space + 1);
    if (verb == "main") {
      if (!archive.hasMainEntry()) throw zim::EntryNotFound("no main page");
      return show(archive.getMainEntry());
    }
    if (verb == "get") return show(archive.getEntryByPath(decoded(rest)));
    const int count = std::clamp(std::atoi(rest.c_str()), 0, mostResults);
    const std::size_t words = rest.find(' ');
    if (verb == "search" || verb == "suggest") {
      return list(found(verb == "search" && archive.hasFulltextIndex(), count,
                        words == std::string::npos ? "" : rest.substr(words + 1)));
    }
    fail("unknown request");
  }

 private:
  static std::string dateOf(const zim::Archive& archive) {
    try {
      return field(archive.getMetadata("Date")).substr(0, 10);
    } catch (const std::exception&) {
      return "";
    }
  }

  void head(zim::size_type length, const std::string& type, const std::string& path,
            const std::string& title) const {
    std::cout << "ok\t" << length << '\t' << field(type) << '\t' << encoded(path) << '\t' << date
              << '\t' << field(title) << '\n';
  }

  void show(const zim::Entry& entry) const {
    const zim::Item item = entry.getItem(true);
    if (item.getSize() > largest) {
      return fail("content is larger than " + std::to_string(largest >> 20) + " MB");
    }
    // Reads all of the content before writing its length, because the file may be damaged.
    const zim::Blob content = item.getData();
    head(content.size(), item.getMimetype(), item.getPath(), item.getTitle());
    std::cout.write(content.data(), static_cast<std::streamsize>(content.size()));
  }

  static std::string row(const std::string& path, const std::string& title,
                         const std::string& snippet) {
    return encoded(path) + '\t' + field(title) + '\t' + field(snippet) + '\n';
  }

  std::string found(bool isInText, int count, const std::string& words) const {
    std::string rows;
    if (isInText) {
      zim::Searcher searcher(archive);
      const auto results = searcher.search(zim::Query(words)).getResults(0, count);
      for (auto result = results.begin(); result != results.end(); ++result) {
        rows += row(result.getPath(), result.getTitle(), result.getSnippet());
      }
    } else {
      zim::SuggestionSearcher searcher(archive);
      const auto results = searcher.suggest(words).getResults(0, count);
      for (const auto& result : results) rows += row(result.getPath(), result.getTitle(), "");
    }
    return rows;
  }

  void list(const std::string& rows) const {
    head(rows.size(), "text/tab-separated-values", "", "");
    std::cout << rows;
  }

  zim::Archive archive;
  std::string date;
};

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "usage: offread-zim FILE; requests on standard input\n";
    return 2;
  }
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, 0);
  giveUp();
  std::ios::sync_with_stdio(false);
  try {
    const Answers answers(arguments[1]);
    for (std::string line; std::getline(std::cin, line) && line.size() <= longestLine;) {
      try {
        answers.to(line);
      } catch (const zim::EntryNotFound&) {
        std::cout << "none\n";
      } catch (const std::exception& error) {
        fail(error.what());
      }
      std::cout.flush();
    }
  } catch (const std::exception& error) {
    fail(error.what());
  }
  return 0;
}
