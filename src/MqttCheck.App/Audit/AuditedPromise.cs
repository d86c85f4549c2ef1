using System.Globalization;
using MqttCheck.Auditing.Promises;

namespace MqttCheck.App.Audit;

/// <summary>A promise with what simulations say of it, now and in an earlier version.</summary>
/// <param name="Before">The share of wrong answers in that version; null where it had no such cell.</param>
internal sealed record AuditedPromise(PromiseResult Result, double? Before)
{
    /// <summary>The earlier version.</summary>
    public const string VersionBefore = "88a3e8f of 23 November 2026";

    private static readonly Lazy<Dictionary<string, double>> s_before = new(() =>
    {
        using var reader = new StreamReader(
            typeof(AuditedPromise).Assembly.GetManifestResourceStream("promises-before.csv")!
        );
        var shares = new Dictionary<string, double>();
        while (reader.ReadLine() is { } line)
        {
            var comma = line.LastIndexOf(';');
            if (comma > 0)
                shares[line[..comma]] = double.Parse(line.AsSpan(comma + 1), CultureInfo.InvariantCulture);
        }
        return shares;
    });

    /// <summary>The share of wrong answers that a cell had in the earlier version.</summary>
    public static double? ShareBefore(PromiseCell cell) =>
        s_before.Value.TryGetValue(cell.Key, out var share) ? share : null;
}
