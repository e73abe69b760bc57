/* The library of an FMU: the functions of FMI 2.0 for co-simulation. It holds no mechanics. fmi2Instantiate starts the
   program in the FMU's resources, and every call is one request to it (carom/io/fmi/fmi_messages.h), but inputs go with
   the next step, and values are read from its last answer. A process of its own shares nothing with the host: neither memory nor threads nor libraries
   of other versions, and a host that ends takes its models along. */
#define _GNU_SOURCE
#include "fmi2.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "carom/io/fmi/fmi_messages.h"

#define EXPORT __attribute__((visibility("default")))

extern char** environ;

typedef struct {
  const fmi2CallbackFunctions* callbacks;
  char* name;
  char* program;
  int socket;
  pid_t process;
  char* message;        /* the last answer, with its header */
  size_t room;          /* for it */
  char* waiting;        /* requests that go with the next one: inputs */
  size_t waiting_bytes, waiting_room;
  char* is_input; /* of each variable */
  uint32_t variables;
  FmiAnswer answer;     /* head of the last answer */
  double* kept; /* the value of every variable, from the last answer */
  uint32_t count;
  const char* returned;
  fmi2Status step; /* of the last fmi2DoStep */
} Instance;

/* --- messages to the host --- */

static const char* category(fmi2Status status) {
  switch (status) {
    case fmi2Warning: return "logStatusWarning";
    case fmi2Discard: return "logStatusDiscard";
    case fmi2Fatal: return "logStatusFatal";
    default: return "logStatusError";
  }
}

static void log_to(const fmi2CallbackFunctions* callbacks, fmi2String name, fmi2Status status, const char* message) {
  if (callbacks && callbacks->logger)
    callbacks->logger(callbacks->componentEnvironment, name, status, category(status), "%s", message);
}

static fmi2Status refuse(Instance* it, fmi2Status status, const char* message) {
  log_to(it->callbacks, it->name, status, message);
  return status;
}

/* --- requests to the program --- */

/* All pieces in one message. */
static int send_pieces(int to, struct iovec* pieces, size_t count) {
  while (count > 0) {
    struct msghdr message = {0};
    message.msg_iov = pieces;
    message.msg_iovlen = count;
    ssize_t n = sendmsg(to, &message, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return 0;
    while (count > 0 && (size_t)n >= pieces->iov_len) {
      n -= (ssize_t)pieces->iov_len;
      ++pieces;
      --count;
    }
    if (count > 0) {
      pieces->iov_base = (char*)pieces->iov_base + n;
      pieces->iov_len -= (size_t)n;
    }
  }
  return 1;
}

static int make_room(char** bytes, size_t* room, size_t wanted) {
  if (wanted <= *room) return 1;
  char* more = realloc(*bytes, wanted);
  if (!more) return 0;
  *bytes = more;
  *room = wanted;
  return 1;
}

/* One answer, usually with one call: nothing follows it before the next request. 0: the program has ended; -1: no memory. */
static int receive_answer(Instance* it, FmiHeader* header) {
  size_t have = 0, need = sizeof *header;
  if (!make_room(&it->message, &it->room, 4096)) return -1;
  while (have < need) {
    const ssize_t n = recv(it->socket, it->message + have, it->room - have, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return 0;
    have += (size_t)n;
    if (need == sizeof *header && have >= need) {
      memcpy(header, it->message, sizeof *header);
      need += header->bytes;
      if (!make_room(&it->message, &it->room, need)) return -1;
    }
  }
  return header->bytes >= sizeof it->answer;
}

static fmi2Status gone(Instance* it) {
  char message[512];
  snprintf(message, sizeof message, "the program that runs the model has ended; does it start by hand? %s doctor",
           it->program);
  if (it->socket >= 0) close(it->socket);
  it->socket = -1;
  return refuse(it, fmi2Fatal, message);
}

/* One request with a body of two pieces, and its answer. */
static fmi2Status ask2(Instance* it, uint32_t what, const void* a, size_t a_bytes, const void* b, size_t b_bytes) {
  FmiHeader header = {what, (uint32_t)(a_bytes + b_bytes)};
  if (it->socket < 0) return gone(it);
  if (a_bytes + b_bytes > UINT32_MAX) return refuse(it, fmi2Error, "more than 4 GB in one call");
  struct iovec pieces[4] = {{it->waiting, it->waiting_bytes}, {&header, sizeof header}, {(void*)a, a_bytes}, {(void*)b, b_bytes}};
  it->waiting_bytes = 0;
  if (!send_pieces(it->socket, pieces, 4)) return gone(it);
  const int received = receive_answer(it, &header);
  if (received < 0) return refuse(it, fmi2Fatal, "there is not enough memory");
  if (!received) return gone(it);
  const char* body = it->message + sizeof header;
  memcpy(&it->answer, body, sizeof it->answer);
  const char* text = body + sizeof it->answer;
  const char* values = text + it->answer.text;
  it->returned = values + (size_t)it->answer.values * sizeof(double);
  if (it->answer.values > 0) {
    double* kept = realloc(it->kept, (size_t)it->answer.values * sizeof(double));
    if (!kept) return refuse(it, fmi2Fatal, "there is not enough memory");
    memcpy(kept, values, (size_t)it->answer.values * sizeof(double));
    it->kept = kept;
    it->count = it->answer.values;
  }
  if (it->answer.text > 0) {
    char* message = malloc((size_t)it->answer.text + 1);
    if (message) {
      memcpy(message, text, it->answer.text);
      message[it->answer.text] = '\0';
      log_to(it->callbacks, it->name, (fmi2Status)header.what, message);
      free(message);
    }
  }
  return (fmi2Status)header.what;
}

static fmi2Status ask(Instance* it, uint32_t what, const void* body, size_t bytes) {
  return ask2(it, what, body, bytes, NULL, 0);
}

/* --- birth and death --- */

/* The folder a file URI names. */
static char* folder_of(fmi2String uri) {
  const char* at = uri ? uri : "";
  if (strncmp(at, "file:", 5) == 0) {
    at += 5;
    if (strncmp(at, "//", 2) == 0) { /* a host, usually none */
      at += 2;
      at += strcspn(at, "/");
    }
  }
  char* path = malloc(strlen(at) + 1);
  char* to = path;
  if (!path) return NULL;
  while (*at) {
    unsigned code;
    if (at[0] == '%' && sscanf(at + 1, "%2x", &code) == 1) {
      *to++ = (char)code;
      at += 3;
    } else {
      *to++ = *at++;
    }
  }
  while (to > path + 1 && to[-1] == '/') --to;
  *to = '\0';
  return path;
}

static int start_program(Instance* it, const char* folder) {
  int ends[2];
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  char* arguments[] = {"carom", "fmi", (char*)folder, NULL};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return errno;
  if (access(it->program, X_OK) != 0) chmod(it->program, 0755); /* many hosts unpack without permissions */
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", 0, 0);
  posix_spawn_file_actions_adddup2(&actions, 2, 1); /* the output of a host is its own */
  posix_spawn_file_actions_adddup2(&actions, ends[1], FMI_SOCKET);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP); /* Ctrl-C is for the host */
  const int error = posix_spawn(&it->process, it->program, &actions, &attributes, arguments, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (error) {
    close(ends[0]);
    it->process = 0;
    return error;
  }
  it->socket = ends[0];
  return 0;
}

EXPORT void fmi2FreeInstance(fmi2Component component) {
  Instance* it = component;
  if (!it) return;
  if (it->socket >= 0) close(it->socket); /* by that the program ends */
  if (it->process > 0)
    while (waitpid(it->process, NULL, 0) < 0 && errno == EINTR) continue;
  free(it->kept);
  free(it->message);
  free(it->waiting);
  free(it->is_input);
  free(it->program);
  free(it->name);
  free(it);
}

EXPORT fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                                     const fmi2CallbackFunctions* callbacks, fmi2Boolean visible,
                                     fmi2Boolean logging_on) {
  (void)visible;
  (void)logging_on;
  if (type != fmi2CoSimulation) {
    log_to(callbacks, name, fmi2Error, "fmi2Instantiate: this FMU is for co-simulation");
    return NULL;
  }
  Instance* it = calloc(1, sizeof *it);
  char* folder = folder_of(resources);
  if (it) {
    it->callbacks = callbacks;
    it->socket = -1;
    it->name = strdup(name ? name : "");
    it->program = folder ? malloc(strlen(folder) + 8) : NULL;
  }
  if (!it || !it->name || !it->program) {
    free(folder);
    fmi2FreeInstance(it);
    return NULL;
  }
  sprintf(it->program, "%s/carom", folder);
  const int error = start_program(it, folder);
  free(folder);
  if (error) {
    char message[1024];
    snprintf(message, sizeof message, "fmi2Instantiate: cannot start '%.900s': %s", it->program, strerror(error));
    refuse(it, fmi2Error, message);
  }
  if (error || ask(it, FMI_HELLO, guid ? guid : "", guid ? strlen(guid) : 0) > fmi2Warning) {
    fmi2FreeInstance(it);
    return NULL;
  }
  it->is_input = malloc((size_t)it->answer.returned + 1);
  if (it->is_input) {
    memcpy(it->is_input, it->returned, it->answer.returned);
    it->variables = it->answer.returned;
  }
  return it;
}

EXPORT const char* fmi2GetTypesPlatform(void) { return "default"; }
EXPORT const char* fmi2GetVersion(void) { return "2.0"; }

EXPORT fmi2Status fmi2SetDebugLogging(fmi2Component component, fmi2Boolean on, size_t count, const fmi2String list[]) {
  (void)component, (void)on, (void)count, (void)list; /* there is nothing to tell but what goes wrong */
  return fmi2OK;
}

/* --- phases --- */

EXPORT fmi2Status fmi2SetupExperiment(fmi2Component component, fmi2Boolean tolerance_defined, fmi2Real tolerance,
                                      fmi2Real start, fmi2Boolean stop_defined, fmi2Real stop) {
  (void)tolerance_defined, (void)tolerance; /* the scheme's step is a parameter */
  const double body[2] = {start, stop_defined ? stop : INFINITY};
  return ask(component, FMI_SET_UP, body, sizeof body);
}
EXPORT fmi2Status fmi2EnterInitializationMode(fmi2Component component) {
  return ask(component, FMI_ENTER_INITIALIZATION, NULL, 0);
}
EXPORT fmi2Status fmi2ExitInitializationMode(fmi2Component component) {
  return ask(component, FMI_EXIT_INITIALIZATION, NULL, 0);
}
EXPORT fmi2Status fmi2Terminate(fmi2Component component) { return ask(component, FMI_TERMINATE, NULL, 0); }
EXPORT fmi2Status fmi2Reset(fmi2Component component) { return ask(component, FMI_RESET, NULL, 0); }

EXPORT fmi2Status fmi2DoStep(fmi2Component component, fmi2Real t, fmi2Real length, fmi2Boolean no_way_back) {
  Instance* it = component;
  (void)no_way_back;
  const double body[2] = {t, length};
  return it->step = ask(it, FMI_DO_STEP, body, sizeof body);
}
EXPORT fmi2Status fmi2CancelStep(fmi2Component component) {
  return refuse(component, fmi2Error, "fmi2CancelStep: a step is over when fmi2DoStep returns");
}

/* --- values --- */

EXPORT fmi2Status fmi2GetReal(fmi2Component component, const fmi2ValueReference references[], size_t count,
                              fmi2Real values[]) {
  Instance* it = component;
  for (size_t i = 0; i < count; ++i) {
    if (references[i] >= it->count) {
      char message[120];
      snprintf(message, sizeof message, "fmi2GetReal: there is no variable with the value reference %u", references[i]);
      return refuse(it, fmi2Error, message);
    }
    values[i] = it->kept[references[i]];
  }
  return fmi2OK;
}

/* While stepping, inputs take nothing but a number, and nothing but the next step looks at them: they go with it. */
static int can_wait(const Instance* it, const fmi2ValueReference references[], size_t count, const fmi2Real values[]) {
  if (!it->answer.stepping || it->socket < 0 || it->waiting_bytes + 12 * count > 65536) return 0;
  for (size_t i = 0; i < count; ++i)
    if (references[i] >= it->variables || references[i] >= it->count || !it->is_input[references[i]] ||
        !isfinite(values[i]))
      return 0;
  return 1;
}

EXPORT fmi2Status fmi2SetReal(fmi2Component component, const fmi2ValueReference references[], size_t count,
                              const fmi2Real values[]) {
  Instance* it = component;
  const size_t names = count * sizeof *references, numbers = count * sizeof *values;
  if (count == 0) return fmi2OK;
  if (!can_wait(it, references, count, values))
    return ask2(it, FMI_SET_REALS, references, names, values, numbers);
  const FmiHeader header = {FMI_SET_LATER, (uint32_t)(names + numbers)};
  if (!make_room(&it->waiting, &it->waiting_room, it->waiting_bytes + sizeof header + names + numbers))
    return refuse(it, fmi2Fatal, "there is not enough memory");
  char* to = it->waiting + it->waiting_bytes;
  memcpy(to, &header, sizeof header);
  memcpy(to + sizeof header, references, names);
  memcpy(to + sizeof header + names, values, numbers);
  it->waiting_bytes += sizeof header + names + numbers;
  for (size_t i = 0; i < count; ++i) it->kept[references[i]] = values[i];
  return fmi2OK;
}

static fmi2Status only_reals(Instance* it, size_t count) {
  return count == 0 ? fmi2OK : refuse(it, fmi2Error, "all variables of this FMU are of type Real");
}
#define OTHER_TYPE(Name, Type)                                                                               \
  EXPORT fmi2Status fmi2Get##Name(fmi2Component component, const fmi2ValueReference references[], size_t count, \
                                  Type values[]) {                                                           \
    (void)references, (void)values;                                                                          \
    return only_reals(component, count);                                                                     \
  }                                                                                                          \
  EXPORT fmi2Status fmi2Set##Name(fmi2Component component, const fmi2ValueReference references[], size_t count, \
                                  const Type values[]) {                                                     \
    (void)references, (void)values;                                                                          \
    return only_reals(component, count);                                                                     \
  }
OTHER_TYPE(Integer, fmi2Integer)
OTHER_TYPE(Boolean, fmi2Boolean)
OTHER_TYPE(String, fmi2String)

EXPORT fmi2Status fmi2SetRealInputDerivatives(fmi2Component component, const fmi2ValueReference references[],
                                              size_t count, const fmi2Integer orders[], const fmi2Real values[]) {
  (void)references, (void)count, (void)orders, (void)values;
  return refuse(component, fmi2Error, "fmi2SetRealInputDerivatives: inputs are held during a step");
}
EXPORT fmi2Status fmi2GetRealOutputDerivatives(fmi2Component component, const fmi2ValueReference references[],
                                               size_t count, const fmi2Integer orders[], fmi2Real values[]) {
  (void)references, (void)count, (void)orders, (void)values;
  return refuse(component, fmi2Error, "fmi2GetRealOutputDerivatives: velocities jump; there are none");
}
EXPORT fmi2Status fmi2GetDirectionalDerivative(fmi2Component component, const fmi2ValueReference unknown[],
                                               size_t unknowns, const fmi2ValueReference known[], size_t knowns,
                                               const fmi2Real seed[], fmi2Real values[]) {
  (void)unknown, (void)unknowns, (void)known, (void)knowns, (void)seed, (void)values;
  return refuse(component, fmi2Error, "fmi2GetDirectionalDerivative: there are none");
}

/* --- states: the pointer of a state is its number in the program --- */

static uint32_t number_of(fmi2FMUstate state) { return (uint32_t)(uintptr_t)state; }

static fmi2Status state_returned(Instance* it, fmi2Status status, fmi2FMUstate* state) {
  uint32_t number = 0;
  if (status > fmi2Warning) return status;
  if (it->answer.returned == sizeof number) memcpy(&number, it->returned, sizeof number);
  *state = (fmi2FMUstate)(uintptr_t)number;
  return status;
}

EXPORT fmi2Status fmi2GetFMUstate(fmi2Component component, fmi2FMUstate* state) {
  const uint32_t replaced = number_of(*state);
  return state_returned(component, ask(component, FMI_SAVE, &replaced, sizeof replaced), state);
}
EXPORT fmi2Status fmi2SetFMUstate(fmi2Component component, fmi2FMUstate state) {
  const uint32_t number = number_of(state);
  return ask(component, FMI_RESTORE, &number, sizeof number);
}
EXPORT fmi2Status fmi2FreeFMUstate(fmi2Component component, fmi2FMUstate* state) {
  const uint32_t number = state ? number_of(*state) : 0;
  if (number == 0) return fmi2OK;
  *state = NULL;
  return ask(component, FMI_FORGET, &number, sizeof number);
}
EXPORT fmi2Status fmi2SerializedFMUstateSize(fmi2Component component, fmi2FMUstate state, size_t* size) {
  Instance* it = component;
  const uint32_t number = number_of(state);
  const fmi2Status status = ask(it, FMI_SERIALIZE, &number, sizeof number);
  if (status <= fmi2Warning) *size = it->answer.returned;
  return status;
}
EXPORT fmi2Status fmi2SerializeFMUstate(fmi2Component component, fmi2FMUstate state, fmi2Byte bytes[], size_t size) {
  Instance* it = component;
  const uint32_t number = number_of(state);
  const fmi2Status status = ask(it, FMI_SERIALIZE, &number, sizeof number);
  if (status > fmi2Warning) return status;
  if (it->answer.returned > size) return refuse(it, fmi2Error, "fmi2SerializeFMUstate: there is not enough room");
  memcpy(bytes, it->returned, it->answer.returned);
  return status;
}
EXPORT fmi2Status fmi2DeSerializeFMUstate(fmi2Component component, const fmi2Byte bytes[], size_t size,
                                          fmi2FMUstate* state) {
  return state_returned(component, ask(component, FMI_DESERIALIZE, bytes, size), state);
}

/* --- how the last step went --- */

EXPORT fmi2Status fmi2GetStatus(fmi2Component component, const fmi2StatusKind kind, fmi2Status* value) {
  Instance* it = component;
  if (kind != fmi2DoStepStatus) return refuse(it, fmi2Discard, "fmi2GetStatus: only fmi2DoStepStatus is a status");
  *value = it->step;
  return fmi2OK;
}
EXPORT fmi2Status fmi2GetRealStatus(fmi2Component component, const fmi2StatusKind kind, fmi2Real* value) {
  Instance* it = component;
  if (kind != fmi2LastSuccessfulTime)
    return refuse(it, fmi2Discard, "fmi2GetRealStatus: only fmi2LastSuccessfulTime is a number");
  *value = it->answer.t;
  return fmi2OK;
}
EXPORT fmi2Status fmi2GetIntegerStatus(fmi2Component component, const fmi2StatusKind kind, fmi2Integer* value) {
  (void)kind, (void)value;
  return refuse(component, fmi2Discard, "fmi2GetIntegerStatus: there is none");
}
EXPORT fmi2Status fmi2GetBooleanStatus(fmi2Component component, const fmi2StatusKind kind, fmi2Boolean* value) {
  Instance* it = component;
  if (kind != fmi2Terminated) return refuse(it, fmi2Discard, "fmi2GetBooleanStatus: only fmi2Terminated is one");
  *value = fmi2False; /* the model never asks for the end */
  return fmi2OK;
}
EXPORT fmi2Status fmi2GetStringStatus(fmi2Component component, const fmi2StatusKind kind, fmi2String* value) {
  (void)kind;
  *value = "";
  return component ? fmi2OK : fmi2Error;
}
