using System.Text.Json;
using MqttCheck.Json;
using MqttCheck.Latency.Models;

namespace MqttCheck.Latency.Files;

/// <summary>
/// A regression in a model file. What follows from other numbers (t, p, adjusted R2) is written for other readers, and
/// computed anew when read.
/// </summary>
internal static class RegressionJson
{
    public static void Write(Utf8JsonWriter writer, RegressionTable regression)
    {
        writer.WriteStartObject();
        writer.WriteNumber("exchanges", regression.Exchanges);
        writer.WriteNumber("residualDeviation", regression.ResidualDeviationMilliseconds);
        writer.WriteNumber("rSquared", regression.RSquared);
        writer.WriteNumber("adjustedRSquared", regression.AdjustedRSquared);
        writer.WriteStartArray("coefficients");
        foreach (var coefficient in regression.Coefficients)
        {
            writer.WriteStartObject();
            writer.WriteString("regressor", coefficient.Regressor);
            writer.WriteNumber("estimate", coefficient.Estimate);
            writer.WriteNumber("standardError", coefficient.StandardError);
            if (double.IsFinite(coefficient.T))
                writer.WriteNumber("t", coefficient.T);
            if (double.IsFinite(coefficient.P))
                writer.WriteNumber("p", coefficient.P);
            writer.WriteEndObject();
        }
        writer.WriteEndArray();
        writer.WriteEndObject();
    }

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
