using System.Text.Json;
using System.Text.Json.Nodes;
using MqttCheck.Json;
using MqttCheck.Latency.Models;

namespace MqttCheck.Latency.Files;

/// <summary>
/// A regression in a model file. Derived numbers (t, p, adjusted R2) are written for other readers, and computed anew
/// when read.
/// </summary>
internal static class RegressionJson
{
    public static JsonObject Of(RegressionTable regression) =>
        JsonNodes.Object(
            ("exchanges", regression.Exchanges),
            ("residualDeviation", regression.ResidualDeviationMilliseconds),
            ("rSquared", regression.RSquared),
            ("adjustedRSquared", regression.AdjustedRSquared),
            ("coefficients", JsonNodes.Array(regression.Coefficients, Of))
        );

    private static JsonObject Of(RegressionCoefficient coefficient) =>
        JsonNodes.Object(
            ("regressor", coefficient.Regressor),
            ("estimate", coefficient.Estimate),
            ("standardError", coefficient.StandardError),
            ("t", double.IsFinite(coefficient.T) ? coefficient.T : null),
            ("p", double.IsFinite(coefficient.P) ? coefficient.P : null)
        );

    public static RegressionTable Read(JsonTree tree, JsonFindings findings)
    {
        var reader = new JsonObjectReader(tree, findings);
        var exchanges = reader.Integer("exchanges", 1, int.MaxValue);
        var deviation = reader.Number("residualDeviation", 0, double.MaxValue);
        var rSquared = reader.Number("rSquared", 0, 1);
        reader.Optional("adjustedRSquared");
        var items = reader.Array("coefficients", "an array of coefficients");
        reader.End();
        return new(
            exchanges,
            deviation,
            rSquared,
            [.. items.Select(item => ReadCoefficient(item, exchanges - items.Count, findings))]
        );
    }

    private static RegressionCoefficient ReadCoefficient(JsonTree tree, long degreesOfFreedom, JsonFindings findings)
    {
        var reader = new JsonObjectReader(tree, findings);
        var coefficient = new RegressionCoefficient(
            reader.Text("regressor", null),
            reader.Number("estimate", double.MinValue, double.MaxValue),
            reader.Number("standardError", 0, double.MaxValue),
            degreesOfFreedom
        );
        reader.Optional("t");
        reader.Optional("p");
        reader.End();
        return coefficient;
    }
}
