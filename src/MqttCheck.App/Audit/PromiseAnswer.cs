using MqttCheck.Auditing.Promises;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.App.Audit;

/// <summary>The table of promises, simulated.</summary>
/// <param name="Promises">The cells that were simulated.</param>
/// <param name="Cells">How many cells were asked for; more than there are promises after an interruption.</param>
internal sealed record PromiseAnswer(IReadOnlyList<AuditedPromise> Promises, int Cells, bool IsInterrupted)
{
    /// <summary>How many promises are kept.</summary>
    public PromiseTally Tally => PromiseTally.Of([.. Promises.Select(promise => promise.Result)]);

    /// <summary>The promises of each audit, in the order of the audits.</summary>
    public IReadOnlyList<PromiseGroup> Audits =>
        [.. PromiseGroup.Of(Promises.Select(promise => promise.Result), result => result.Audit.Title)];

    /// <summary>The conclusion: a broken promise is a refutation, and an undecided one withholds it.</summary>
    public Conclusion Conclude() =>
        Conclusions.Of(
            Tally is { Broken: > 0 } ? false
                : Tally is { Undecided: > 0 } ? null
                : true,
            IsInterrupted
        );
}
