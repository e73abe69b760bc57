/* How the library of an FMU (apps/fmi) speaks with the program that runs its model: over a socket, one request, one
   answer. C and C++ read this file. Both ends are on one machine: numbers are as they lie in memory.

     request    FmiHeader{what, bytes}, body:
                hello           the guid, text
                set_reals       n numbers uint32, n numbers double
                set_later       the same, of inputs while stepping; it has no answer, and what goes wrong with it is the
                                answer to the next request: so inputs cost no way there and back
                set_up          double start, double stop (infinite: none)
                do_step         double t, double length
                save            uint32 state, to be replaced, or 0
                restore, forget, serialize     uint32 state
                deserialize     bytes
                others          nothing

     answer     FmiHeader{fmi2Status, bytes}, body: FmiAnswer, then the text, the values of all variables, and what was
                asked for: for hello a byte for each variable, 1 if it is an input; uint32 state of save and
                deserialize; bytes of serialize
*/
#ifndef CAROM_IO_FMI_FMI_MESSAGES_H
#define CAROM_IO_FMI_FMI_MESSAGES_H

#include <stdint.h>

enum FmiRequest {
  FMI_HELLO = 1,
  FMI_SET_REALS,
  FMI_SET_UP,
  FMI_ENTER_INITIALIZATION,
  FMI_EXIT_INITIALIZATION,
  FMI_DO_STEP,
  FMI_TERMINATE,
  FMI_RESET,
  FMI_SAVE,
  FMI_RESTORE,
  FMI_FORGET,
  FMI_SERIALIZE,
  FMI_DESERIALIZE,
  FMI_SET_LATER
};

enum { FMI_SOCKET = 3 }; /* the descriptor the program finds its end at */

typedef struct FmiHeader {
  uint32_t what;
  uint32_t bytes; /* of the body */
} FmiHeader;

typedef struct FmiAnswer {
  double t;          /* the moment the model is at */
  uint32_t text;     /* bytes: what went wrong */
  uint32_t values;   /* doubles: one for each variable */
  uint32_t returned; /* bytes: what was asked for */
  uint32_t stepping; /* 1 between initialization and end: inputs may be set later */
} FmiAnswer;

#endif
