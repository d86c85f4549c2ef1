namespace MqttCheck.App.Clusters.Selfcheck;

/// <summary>One line of a self-check, which compares a measured value with the true one.</summary>
/// <param name="Truth">The true value, or null where only the size of the measured one is judged.</param>
/// <param name="Bound">How far the two may be apart; without a truth, the largest value allowed.</param>
internal sealed record SelfcheckRow(string What, double Measured, double? Truth, double Bound, string Unit)
{
    /// <summary>The error: measured minus true, or the value itself.</summary>
    public double Error => Measured - (Truth ?? 0);

    /// <summary>Whether it is within the bound. A value that could not be measured is not.</summary>
    public bool Passes => Math.Abs(Error) <= Bound;
}
