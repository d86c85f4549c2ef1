using MqttCheck.Latency.Features;
using MqttCheck.Latency.Models;

namespace MqttCheck.Latency.Files;

/// <summary>The cells of a model, as files hold them.</summary>
/// <param name="Own">The cells that were seen, each with a table of its own exchanges.</param>
/// <param name="Rules">How cells learn from each other, by kind of message; null for kinds without cells.</param>
internal sealed record PooledCells(IReadOnlyList<PlacedTable> Own, PoolingRule?[] Rules)
{
    /// <summary>The cells of one kind of message, with one rule; null where there are none.</summary>
    /// <param name="kind">The kind of message.</param>
    public PooledCells? Of(int kind) =>
        Rules[kind] is { } rule
            ? new([.. Own.Where(cell => cell.Place / FeatureBins.CellsPerKind == kind)], [rule])
            : null;
}
