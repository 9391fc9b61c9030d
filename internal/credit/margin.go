package credit

import (
	"math/big"
	"strconv"
)

// Revenue returns the price of credits in nano-dollars; value is that of one credit.
func Revenue(credits, value int64) *big.Int {
	return new(big.Int).Mul(big.NewInt(credits), big.NewInt(value))
}

// Margin returns the share of the revenue that is left after the cost, rounded to three decimals. The
// revenue must not be 0.
func Margin(cost int64, revenue *big.Int) float64 {
	left := new(big.Int).Sub(revenue, big.NewInt(cost))
	margin, _ := strconv.ParseFloat(new(big.Rat).SetFrac(left, revenue).FloatString(3), 64)
	if margin == 0 {
		return 0 // not -0
	}
	return margin
}
