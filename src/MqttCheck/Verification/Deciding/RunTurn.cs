namespace MqttCheck.Verification.Deciding;

/// <summary>Which round a series is asked to make.</summary>
/// <param name="Number">Its number among the rounds of all series, from 0.</param>
/// <param name="Pass">How often all open series had their turn before, from 0.</param>
/// <param name="Index">Its number among the rounds of this series, from 0.</param>
/// <param name="ShareDone">The share of the whole work that is done before it, 0 .. 1.</param>
/// <param name="ShareOfRound">The share of the whole work that this round is.</param>
internal readonly record struct RunTurn(int Number, int Pass, int Index, double ShareDone, double ShareOfRound)
{
    /// <summary>The share of the whole work that is done when this round is done in part.</summary>
    /// <param name="part">The part of the round, 0 .. 1.</param>
    public double ShareAt(double part) => ShareDone + part * ShareOfRound;
}
