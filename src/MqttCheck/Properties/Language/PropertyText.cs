using System.Globalization;
using MqttCheck.Properties.Traces;

namespace MqttCheck.Properties.Language;

/// <summary>The spelling of quantities, comparisons and durations in properties.</summary>
internal static class PropertyText
{
    public static readonly (string Unit, double Milliseconds)[] Units =
    [
        ("us", 1e-3),
        ("ms", 1),
        ("s", 1e3),
        ("min", 6e4),
        ("h", 3.6e6),
    ];

    public static readonly string[] Quantities =
    [
        "latency",
        "acknowledgement",
        "elapsed",
        "count",
        "failures",
        "active",
        "subscribers",
        "payload",
    ];

    private static readonly string[] s_comparisons = ["<", "<=", ">", ">=", "=", "!="];

    public static string Name(TraceQuantity quantity) => Quantities[(int)quantity];

    public static bool TryQuantity(string name, out TraceQuantity quantity)
    {
        var index = Array.IndexOf(Quantities, name);
        quantity = (TraceQuantity)Math.Max(0, index);
        return index >= 0;
    }

    public static string Sign(ComparisonOperator comparison) => s_comparisons[(int)comparison];

    public static bool TryComparison(string sign, out ComparisonOperator comparison)
    {
        var index = Array.IndexOf(s_comparisons, sign);
        comparison = (ComparisonOperator)Math.Max(0, index);
        return index >= 0;
    }

    /// <summary>Whether constants compared with the quantity are durations.</summary>
    public static bool IsDuration(TraceQuantity quantity) =>
        quantity is TraceQuantity.Latency or TraceQuantity.Acknowledgement or TraceQuantity.Elapsed;

    /// <summary>Whether the quantity can be restricted to a kind of message.</summary>
    public static bool HasKind(TraceQuantity quantity) =>
        quantity
            is TraceQuantity.Latency
                or TraceQuantity.Acknowledgement
                or TraceQuantity.Count
                or TraceQuantity.Failures;

    public static string Duration(double milliseconds) => milliseconds.ToString(CultureInfo.InvariantCulture) + "ms";
}
