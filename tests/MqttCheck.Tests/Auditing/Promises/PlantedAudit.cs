using MqttCheck.Auditing.Promises;
using MqttCheck.Sequential.Runs;

namespace MqttCheck.Tests.Auditing.Promises;

/// <summary>An audit of cells that a test makes.</summary>
internal sealed record PlantedAudit(IReadOnlyList<PromiseCell> Cells) : IPromiseAudit
{
    public string Title => "planted cells";

    public string Description => "";

    /// <summary>One test of known error at a stated one of .01.</summary>
    public static PlantedAudit Of(double error, double exception = 0) => Of(("a test", error, .01, exception));

    /// <summary>Tests of known errors.</summary>
    public static PlantedAudit Of(params (string Name, double Error, double? Stated, double Exception)[] cells) =>
        new([
            .. cells.Select(cell => new PromiseCell
            {
                Subject = cell.Name,
                Situation = "",
                LawName = "no runs",
                Guarantee = Guarantee.Model,
                Promise = cell.Stated,
                Floor = cell.Exception,
                Trial = random => random.NextDouble() < cell.Error ? TrialOutcome.Wrong : TrialOutcome.Right,
            }),
        ]);
}
