package testruns

import (
	"agentchat/internal/agent"
	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/store/tests"
)

// Price is the price of a run.
type Price struct {
	// Most is the most credits that the run can cost. Exact means that it costs exactly that if all its
	// messages are answered.
	Most  int64
	Exact bool
	// Attempts is the number of its attempts.
	Attempts int
}

// PriceOf returns the price of a plan. Fault: InvalidInput on model, if the plan has no model or
// it is not available, and on judge, if that holds for the judge of its checks.
func PriceOf(models *catalogue.Catalogue, plan tests.Plan) (Price, error) {
	price, exact := messagePrice(models, &plan.Settings, plan.Model, plan.HasKnowledge)
	if price < 0 {
		return Price{}, fault.Invalid(fault.Field{Path: "model", Reason: fault.InvalidValue,
			Message: "The agent has no model, or its model is not available. Choose another one."})
	}
	out := Price{Exact: exact, Attempts: len(plan.Cases) * plan.Repeats}
	for _, c := range plan.Cases {
		each := price
		if c.HasResults && len(plan.Settings.Actions) > 0 {
			each *= 1 + conversation.MaxRounds
			out.Exact = out.Exact && price == 0
		}
		if n := int64(c.JudgeChecks); n > 0 && plan.Judge != nil {
			judging, exact := messagePrice(models, &plan.Judge.Settings, nil, plan.Judge.HasKnowledge)
			if judging < 0 {
				return Price{}, fault.Invalid(fault.Field{Path: "judge", Reason: fault.InvalidValue,
					Message: "The judge has no model, or its model is not offered now. Publish the judge with one that is available."})
			}
			each += n * judging
			out.Exact = out.Exact && exact
		}
		out.Most += each * int64(plan.Repeats)
	}
	return out, nil
}

// messagePrice returns the most that a message costs, which is the higher price of the model and the
// fallback model, and whether both cost the same. The price is -1 if the model is not available.
func messagePrice(
	models *catalogue.Catalogue, settings *agent.Settings, model *string, knowledge bool,
) (price int64, exact bool) {
	name := settings.Model
	if model != nil {
		name = model
	}
	if name == nil {
		return -1, false
	}
	entry, ok := models.Lookup(*name)
	if !ok || !entry.Available() {
		return -1, false
	}
	price = entry.Price(knowledge)
	if model != nil || settings.FallbackModel == nil {
		return price, true
	}
	second, ok := models.Lookup(*settings.FallbackModel)
	if !ok || !second.Available() {
		return price, true
	}
	return max(price, second.Price(knowledge)), price == second.Price(knowledge)
}
