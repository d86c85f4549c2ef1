namespace MqttCheck.Checking;

/// <summary>One row of the audit of verifications.</summary>
/// <param name="Options">How the prediction was verified.</param>
/// <param name="Predicted">The predicted probability.</param>
/// <param name="Truth">The true one.</param>
/// <param name="Dependence">How outcomes depend on each other.</param>
/// <param name="Sequences">Sequences in each run.</param>
/// <param name="BudgetRuns">The largest number of runs.</param>
/// <param name="Tally">What came out.</param>
public sealed record VerificationAuditLine(
    VerificationOptions Options, double Predicted, double Truth, OutcomeDependence Dependence, int Sequences, int BudgetRuns, VerificationTally Tally)
{
    /// <summary>Whether what came out is compatible with the stated error: its 99 % lower bound does not exceed it.</summary>
    public bool IsKept => Tally.WrongAtLeast <= Options.PointError;
}
