// What a scheme promises it keeps with every choice its parameters list, not with the defaults alone: a word in place
// of another, a flag turned round. One at a time.
#include "batteries/measured_order.h"

namespace carom::batteries {
namespace {

struct Choice {
  const SchemeEntry* scheme;
  std::string parameter;
  ParameterValue value;

  std::map<std::string, ParameterValue> given() const { return {{parameter, value}}; }
};

std::vector<Choice> all_choices() {
  std::vector<Choice> all;
  for (const SchemeEntry* entry : scheme_registry().entries())
    for (const ParameterSpec& spec : entry->parameters) {
      if (const bool* flag = std::get_if<bool>(&spec.default_value)) all.push_back({entry, spec.name, !*flag});
      for (const std::string& word : spec.words)
        if (spec.default_value != ParameterValue(word)) all.push_back({entry, spec.name, word});
    }
  return all;
}

class EveryChoice : public ::testing::TestWithParam<Choice> {
 protected:
  const SchemeEntry& entry() const { return *GetParam().scheme; }
  std::unique_ptr<Scheme> scheme() const { return make_scheme(entry().name, GetParam().given()); }
  double free_order() const {
    if (!entry().orders_with) return entry().promises.orders.free_flight;
    const Parameters parameters(entry().parameters, GetParam().given(), entry().name);
    return entry().orders_with(parameters).free_flight;
  }
};

#define CAROM_SKIP_IF_UNTREATED(model) \
  if (const auto why = refusal(entry(), *(model).system, GetParam().given())) GTEST_SKIP() << *why

TEST_P(EveryChoice, HasItsOrderInFreeFlight) {
  CAROM_NEEDS_ORDER();
  const double expected = free_order();
  const FreeFlight flight = free_flight(entry(), expected);
  CAROM_SKIP_IF_UNTREATED(flight.model);
  const OrderFit fit = measured_order(flight.model, *scheme(), false, flight.t_end, flight.counts);
  EXPECT_GE(fit.order, expected - 0.1) << to_text(fit);
}

// Contacts open and close; no step fails, and the same run gives the same bits.
TEST_P(EveryChoice, RunsAndRunsTheSameAgain) {
  CAROM_NEEDS_ORDER();
  const Rattling r = rattling(entry());
  CAROM_SKIP_IF_UNTREATED(r.model);
  const State first = take_steps(r.model, *scheme(), r.dt, 1000);
  EXPECT_TRUE(first.q.allFinite() && first.v.allFinite());
  EXPECT_TRUE(identical(first, take_steps(r.model, *scheme(), r.dt, 1000)));
}

// The scheme, the parameter and the value, words without their quotes.
std::string name_of_choice(const ::testing::TestParamInfo<Choice>& choice) {
  std::string name = choice.param.scheme->name + "_" + choice.param.parameter + "_" + to_text(choice.param.value);
  std::erase(name, '"');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Schemes, EveryChoice, ::testing::ValuesIn(all_choices()), name_of_choice);

}  // namespace
}  // namespace carom::batteries
