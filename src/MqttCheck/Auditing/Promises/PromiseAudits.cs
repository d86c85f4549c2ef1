using MqttCheck.Auditing.Promises.Grid;
using MqttCheck.Sequential.Runs;

namespace MqttCheck.Auditing.Promises;

/// <summary>All audits of promises, in the order of the table.</summary>
internal static class PromiseAudits
{
    /// <summary>The audits.</summary>
    public static IReadOnlyList<IPromiseAudit> All() =>
        [
            new VerdictPromiseAudit(),
            new RequirementAudit(Guarantee.Model),
            new RequirementAudit(Guarantee.Any),
            new TwoSampleAudit(Guarantee.Model),
            new TwoSampleAudit(Guarantee.Any),
            new PredictionPromiseAudit(),
            new VerdictGridAudit(Guarantee.Model),
            new VerdictGridAudit(Guarantee.Any),
            new RequirementGridAudit(Guarantee.Model),
            new RequirementGridAudit(Guarantee.Any),
            new TwoSampleGridAudit(Guarantee.Model),
            new TwoSampleGridAudit(Guarantee.Any),
            new DroppedRunsAudit(),
            new HistoryAudit(),
            new BoundedMeanAudit(),
        ];
}
