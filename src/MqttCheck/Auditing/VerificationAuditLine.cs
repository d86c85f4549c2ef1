using MqttCheck.Auditing.Promises;
using MqttCheck.Sequential.Runs;
using MqttCheck.Verification;

namespace MqttCheck.Auditing;

/// <summary>One row of the audit of verifications.</summary>
/// <param name="Options">How the prediction was verified.</param>
/// <param name="Predicted">The predicted probability.</param>
/// <param name="Truth">The true one.</param>
/// <param name="Law">The law of the runs.</param>
/// <param name="Sequences">Sequences in each run.</param>
/// <param name="BudgetRuns">The largest number of runs.</param>
/// <param name="Tally">The simulated verdicts, counted.</param>
internal sealed record VerificationAuditLine(
    VerificationOptions Options,
    double Predicted,
    double Truth,
    RunLaw Law,
    int Sequences,
    int BudgetRuns,
    VerificationTally Tally
)
{
    /// <summary>Whether the stated error is promised under this law: see <see cref="VerdictPromiseAudit"/>.</summary>
    public bool IsPromised => VerdictPromiseAudit.Promised(Options.Guarantee, Law);

    /// <summary>
    /// Whether what came out shows that the promise is broken: its 99 % lower bound exceeds it. That it is kept is
    /// shown by <see cref="PromiseRule"/>.
    /// </summary>
    public bool IsBroken =>
        IsPromised
        && Tally.WrongAtLeast
            > Options.PointError + (Options.Guarantee == Guarantee.Model ? Law.Silence(Options.MinimumRuns) : 0);
}
