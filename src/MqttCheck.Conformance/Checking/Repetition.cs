namespace MqttCheck.Conformance.Checking;

/// <summary>The result of repeating a scenario.</summary>
/// <param name="Hits">In how many replays the deviation came.</param>
/// <param name="Replays">How many replays there were.</param>
/// <param name="Reached">How many of the scenario's lines the longest of these had reached when it came.</param>
/// <param name="Shown">The first of these.</param>
internal readonly record struct Repetition(int Hits, int Replays, int Reached, ScenarioResult? Shown)
{
    /// <summary>Whether it came every time.</summary>
    public bool IsSteady => Hits == Replays;
}
