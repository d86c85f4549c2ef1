using MqttCheck.Json;
using MqttCheck.Latency.Models;

namespace MqttCheck.Latency.Files;

/// <summary>
/// A regression in a model file. Derived numbers (t, p, adjusted R2) are written for other readers, and computed anew
/// when read.
/// </summary>
internal static class RegressionKinds
{
    /// <summary>A regression.</summary>
    public static JsonKind<RegressionTable> Table { get; } =
        JsonFormat.Of<RegressionTable>(fields =>
        {
            var exchanges = fields.Required(
                "exchanges",
                JsonKinds.Integer(1).As(count => (long)count, count => (int)count),
                table => table.Exchanges
            );
            var deviation = fields.Required(
                "residualDeviation",
                JsonKinds.Number(0),
                table => table.ResidualDeviationMilliseconds
            );
            var rSquared = fields.Required("rSquared", JsonKinds.Number(0, 1), table => table.RSquared);
            fields.Derived("adjustedRSquared", table => table.AdjustedRSquared);
            var parameters = fields.Reader?.Tree.Member("coefficients")?.Items.Count ?? 0;
            return new(
                exchanges,
                deviation,
                rSquared,
                fields.Required(
                    "coefficients",
                    JsonKinds.List(Coefficient(exchanges - parameters), "an array of coefficients"),
                    table => table.Coefficients
                )
            );
        });

    private static JsonKind<RegressionCoefficient> Coefficient(long degreesOfFreedom) =>
        JsonFormat.Of<RegressionCoefficient>(fields =>
        {
            var coefficient = new RegressionCoefficient(
                fields.Required("regressor", JsonKinds.Text, coefficient => coefficient.Regressor),
                fields.Required("estimate", JsonKinds.Number(), coefficient => coefficient.Estimate),
                fields.Required("standardError", JsonKinds.Number(0), coefficient => coefficient.StandardError),
                degreesOfFreedom
            );
            fields.Derived("t", coefficient => double.IsFinite(coefficient.T) ? coefficient.T : null);
            fields.Derived("p", coefficient => double.IsFinite(coefficient.P) ? coefficient.P : null);
            return coefficient;
        });
}
