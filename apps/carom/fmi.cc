// carom fmi: the other end of the library of an FMU (apps/fmi). It answers requests until the library closes the
// socket; nobody types it.
#include <fmt/format.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "carom/base/errors.h"
#include "carom/io/fmi/fmi_messages.h"
#include "carom/io/fmi/fmu_instance.h"
#include "command.h"

namespace carom::cli {
namespace {

enum Status : std::uint32_t { ok = 0, discard = 2, error = 3 };  // of fmi2Status

// What comes over the socket: as much at once as there is.
class Incoming {
 public:
  bool take(void* data, std::size_t bytes) {  // false at the end
    char* to = static_cast<char*>(data);
    while (bytes > 0) {
      if (first_ == last_ && !fill()) return false;
      const std::size_t n = std::min(bytes, last_ - first_);
      std::memcpy(to, buffer_.data() + first_, n);
      first_ += n;
      to += n;
      bytes -= n;
    }
    return true;
  }

 private:
  bool fill() {
    ssize_t n = 0;
    do {
      n = recv(FMI_SOCKET, buffer_.data(), buffer_.size(), 0);
    } while (n < 0 && errno == EINTR);
    first_ = 0;
    last_ = n > 0 ? static_cast<std::size_t>(n) : 0;
    return n > 0;
  }

  std::vector<char> buffer_ = std::vector<char>(65536);
  std::size_t first_ = 0, last_ = 0;
};

bool send(const std::string& bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t n = ::send(FMI_SOCKET, bytes.data() + at, bytes.size() - at, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += static_cast<std::size_t>(n);
  }
  return true;
}

template <class T>
void append(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// The body of a request, read from front to back.
class Body {
 public:
  explicit Body(const std::string& bytes) : bytes_(bytes) {}
  template <class T>
  T take() {
    T value;
    if (at_ + sizeof value > bytes_.size()) throw FmuRefusal("a request is not whole");
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }

 private:
  const std::string& bytes_;
  std::size_t at_ = 0;
};

struct Answer {
  Status status = ok;
  std::string text, returned;
};

class Server {
 public:
  explicit Server(std::string resources) : resources_(std::move(resources)) {}

  void serve() {
    FmiHeader header{};
    std::string body;
    Incoming incoming;
    std::optional<Answer> owed;  // of a request without answer, that went wrong
    while (incoming.take(&header, sizeof header)) {
      body.resize(header.bytes);
      if (!incoming.take(body.data(), body.size())) return;
      Answer now = owed ? *std::exchange(owed, std::nullopt) : answer(header.what, body);
      if (header.what != FMI_SET_LATER) {
        if (!send(packed(now))) return;
      } else if (now.status != ok) {
        owed = std::move(now);
      }
    }
  }

 private:
  // Nothing that goes wrong ends the program: it is told.
  Answer answer(std::uint32_t what, const std::string& body) {
    try {
      return {ok, {}, follow(what, body)};
    } catch (const FmuRefusal& refusal) {
      return {refusal.partly() ? discard : error, refusal.what(), {}};
    } catch (const InputError& wrong) {
      std::string text;
      for (const InputProblem& problem : wrong.problems()) text += (text.empty() ? "" : "\n\n") + describe(problem);
      return {error, text.empty() ? wrong.what() : text, {}};
    } catch (const std::exception& wrong) {
      return {error, wrong.what(), {}};
    }
  }

  std::string follow(std::uint32_t what, const std::string& bytes) {
    Body body(bytes);
    std::string returned;
    if (what == FMI_HELLO) {
      instance_ = std::make_unique<FmuInstance>(resources_);
      if (bytes != instance_->guid())
        throw FmuRefusal(
            fmt::format("fmi2Instantiate: the guid {} is not that of this FMU, {}", bytes, instance_->guid()));
      for (const FmuVariable& variable : instance_->variables())
        returned += static_cast<char>(variable.causality == FmuVariable::Causality::input);
      return returned;
    }
    if (!instance_) throw FmuRefusal("there is no model");
    FmuInstance& it = *instance_;
    switch (what) {
      case FMI_SET_LATER:
      case FMI_SET_REALS: {
        const std::size_t count = bytes.size() / (sizeof(std::uint32_t) + sizeof(double));
        std::vector<std::uint32_t> references(count);
        std::vector<double> values(count);
        for (std::uint32_t& reference : references) reference = body.take<std::uint32_t>();
        for (double& value : values) value = body.take<double>();
        it.set(references, values);
        break;
      }
      case FMI_SET_UP: {
        const double start = body.take<double>(), stop = body.take<double>();
        it.set_up(start, stop);
        break;
      }
      case FMI_ENTER_INITIALIZATION: it.enter_initialization(); break;
      case FMI_EXIT_INITIALIZATION: it.exit_initialization(); break;
      case FMI_DO_STEP: {
        const double t = body.take<double>(), length = body.take<double>();
        it.do_step(t, length);
        break;
      }
      case FMI_TERMINATE: it.terminate(); break;
      case FMI_RESET: it.reset(); break;
      case FMI_SAVE: append(returned, it.save(body.take<std::uint32_t>())); break;
      case FMI_RESTORE: it.restore(body.take<std::uint32_t>()); break;
      case FMI_FORGET: it.forget(body.take<std::uint32_t>()); break;
      case FMI_SERIALIZE: returned = it.serialize(body.take<std::uint32_t>()); break;
      case FMI_DESERIALIZE: append(returned, it.deserialize(bytes)); break;
      default: throw FmuRefusal("the library of the FMU and its program are of different versions");
    }
    return returned;
  }

  std::string packed(const Answer& answer) const {
    FmiAnswer head{};
    head.t = instance_ ? instance_->t() : 0.0;
    head.text = static_cast<std::uint32_t>(answer.text.size());
    head.values = instance_ ? static_cast<std::uint32_t>(instance_->values().size()) : 0;
    head.returned = static_cast<std::uint32_t>(answer.returned.size());
    head.stepping = instance_ && instance_->stepping() ? 1 : 0;
    const std::size_t bytes = sizeof head + head.text + head.values * sizeof(double) + head.returned;
    std::string message;
    append(message, FmiHeader{answer.status, static_cast<std::uint32_t>(bytes)});
    append(message, head);
    message += answer.text;
    if (instance_)
      for (const double value : instance_->values()) append(message, value);
    return message + answer.returned;
  }

  std::string resources_;
  std::unique_ptr<FmuInstance> instance_;
};

}  // namespace

void add_fmi(CLI::App& app, ExitCode&) {
  auto resources = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("fmi", "Run the model of an FMU for the program that loaded it");
  command->footer(
      "Started by the library of an FMU (carom export MODEL fmu), never by hand. It answers what comes on descriptor "
      "3\n"
      "and ends when that is closed.\n\n"
      "Example:\n"
      "  carom fmi RESOURCES 3<>SOCKET");
  command->add_option("resources", *resources, "The folder resources of the unpacked FMU")->required();
  command->callback([resources] { Server(*resources).serve(); });
}

}  // namespace carom::cli
