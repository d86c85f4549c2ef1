using MqttCheck.Auditing.Promises;

namespace MqttCheck.Tests.Auditing.Promises;

/// <summary>The cells of all audits. Making them takes seconds, and several tests ask for them.</summary>
internal static class AllCells
{
    private static readonly Lazy<IReadOnlyList<PromiseCell>> s_cells = new(() =>
        [.. PromiseAudits.All().SelectMany(audit => audit.Cells)]
    );

    public static IReadOnlyList<PromiseCell> Value => s_cells.Value;
}
