/* A host of FMUs: loads a library and does what it is told, one command a line; answers stand on lines of their own.

     importer LIBRARY GUID RESOURCES

   instantiate | setup START STOP | enter | exit | step T LENGTH | get REFERENCE | set REFERENCE VALUE | save NAME | restore NAME
   | forget NAME | store NAME FILE | load NAME FILE | reset | terminate | time | integer | free

   Every command ends with "= STATUS"; numbers are hexadecimal, so that no bit is lost; messages of the library are
   lines "log STATUS CATEGORY MESSAGE". The types are those of the standard's text, written down here on purpose: the library must
   agree with them, not with its own header. */
#include <dlfcn.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void (*Logger)(void*, const char*, int, const char*, const char*, ...);
typedef struct {
  Logger logger;
  void* (*allocate)(size_t, size_t);
  void (*release)(void*);
  void (*finished)(void*, int);
  void* environment;
} Callbacks;

static void tell(void* environment, const char* instance, int status, const char* category, const char* message, ...) {
  char text[4000];
  va_list arguments;
  va_start(arguments, message);
  vsnprintf(text, sizeof text, message, arguments);
  va_end(arguments);
  for (char* c = text; *c; ++c)
    if (*c == '\n') *c = '|';
  printf("log %d %s %s%s %s\n", status, category, instance, environment ? "" : " (no environment)", text);
}

static void* library;
static void* find(const char* name) {
  void* function = dlsym(library, name);
  if (!function) {
    printf("the library has no %s\n", name);
    exit(3);
  }
  return function;
}
#define CALL(name, type) ((type)find(name))

typedef struct {
  char name[32];
  void* state;
} Named;
static Named states[16];
static void** state_of(const char* name) {
  for (int k = 0; k < 16; ++k) {
    if (states[k].name[0] == '\0') snprintf(states[k].name, sizeof states[k].name, "%s", name);
    if (strcmp(states[k].name, name) == 0) return &states[k].state;
  }
  exit(3);
}

int main(int count, char** words) {
  if (count != 4) return 2;
  library = dlopen(words[1], RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    printf("%s\n", dlerror());
    return 3;
  }
  int environment = 0;
  const Callbacks callbacks = {tell, calloc, free, NULL, &environment};
  void* c = NULL;
  char line[1000], a[500], b[500];
  printf("platform %s version %s\n", CALL("fmi2GetTypesPlatform", const char* (*)(void))(),
         CALL("fmi2GetVersion", const char* (*)(void))());
  fflush(stdout);
  while (fgets(line, sizeof line, stdin)) {
    char word[32] = "";
    int status = 0;
    a[0] = b[0] = '\0';
    sscanf(line, "%31s %499s %499s", word, a, b);
    if (!strcmp(word, "instantiate")) {
      typedef void* (*Make)(const char*, int, const char*, const char*, const Callbacks*, int, int);
      c = CALL("fmi2Instantiate", Make)("unit", a[0] ? atoi(a) : 1, words[2], words[3], &callbacks, 0, 0);
      status = c ? 0 : 3;
    } else if (!strcmp(word, "setup")) {
      typedef int (*Setup)(void*, int, double, double, int, double);
      status = CALL("fmi2SetupExperiment", Setup)(c, 0, 0.0, atof(a), b[0] != '\0', atof(b));
    } else if (!strcmp(word, "enter")) {
      status = CALL("fmi2EnterInitializationMode", int (*)(void*))(c);
    } else if (!strcmp(word, "exit")) {
      status = CALL("fmi2ExitInitializationMode", int (*)(void*))(c);
    } else if (!strcmp(word, "step")) {
      status = CALL("fmi2DoStep", int (*)(void*, double, double, int))(c, strtod(a, NULL), strtod(b, NULL), 0);
    } else if (!strcmp(word, "get")) {
      const unsigned reference = (unsigned)atoi(a);
      double value = 0.0;
      status = CALL("fmi2GetReal", int (*)(void*, const unsigned*, size_t, double*))(c, &reference, 1, &value);
      if (status == 0) printf("%a\n", value);
    } else if (!strcmp(word, "set")) {
      const unsigned reference = (unsigned)atoi(a);
      const double value = strtod(b, NULL);
      status = CALL("fmi2SetReal", int (*)(void*, const unsigned*, size_t, const double*))(c, &reference, 1, &value);
    } else if (!strcmp(word, "integer")) {
      const unsigned reference = 0;
      int value = 0;
      status = CALL("fmi2GetInteger", int (*)(void*, const unsigned*, size_t, int*))(c, &reference, 1, &value);
    } else if (!strcmp(word, "save")) {
      status = CALL("fmi2GetFMUstate", int (*)(void*, void**))(c, state_of(a));
    } else if (!strcmp(word, "restore")) {
      status = CALL("fmi2SetFMUstate", int (*)(void*, void*))(c, *state_of(a));
    } else if (!strcmp(word, "forget")) {
      status = CALL("fmi2FreeFMUstate", int (*)(void*, void**))(c, state_of(a));
    } else if (!strcmp(word, "store")) {
      size_t bytes = 0;
      status = CALL("fmi2SerializedFMUstateSize", int (*)(void*, void*, size_t*))(c, *state_of(a), &bytes);
      char* data = malloc(bytes + 1);
      if (status == 0) status = CALL("fmi2SerializeFMUstate", int (*)(void*, void*, char*, size_t))(c, *state_of(a), data, bytes);
      FILE* file = fopen(b, "wb");
      if (status == 0) fwrite(data, 1, bytes, file);
      fclose(file);
      free(data);
    } else if (!strcmp(word, "load")) {
      static char data[10000000];
      FILE* file = fopen(b, "rb");
      const size_t bytes = fread(data, 1, sizeof data, file);
      fclose(file);
      status = CALL("fmi2DeSerializeFMUstate", int (*)(void*, const char*, size_t, void**))(c, data, bytes, state_of(a));
    } else if (!strcmp(word, "reset")) {
      status = CALL("fmi2Reset", int (*)(void*))(c);
    } else if (!strcmp(word, "terminate")) {
      status = CALL("fmi2Terminate", int (*)(void*))(c);
    } else if (!strcmp(word, "time")) {
      double t = 0.0;
      status = CALL("fmi2GetRealStatus", int (*)(void*, int, double*))(c, 2, &t);
      printf("%a\n", t);
    } else if (!strcmp(word, "free")) {
      CALL("fmi2FreeInstance", void (*)(void*))(c);
      c = NULL;
    } else {
      printf("no such command: %s\n", word);
      return 2;
    }
    printf("= %d\n", status);
    fflush(stdout);
  }
  return 0;
}
