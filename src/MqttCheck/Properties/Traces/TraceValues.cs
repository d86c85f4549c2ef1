namespace MqttCheck.Properties.Traces;

/// <summary>The values of a property on the traces of one replication or run.</summary>
/// <param name="Values">
/// The value of each trace: 1 or 0 for a formula, NaN where it says nothing, and for a measure without a message.
/// </param>
/// <param name="Groups">The name of the group of each trace's client; empty where it is not known.</param>
/// <param name="CutShort">How many traces ended before they decided a formula whose spans are bounded.</param>
internal readonly record struct TraceValues(double[] Values, IReadOnlyList<string> Groups, int CutShort)
{
    /// <summary>The value of one trace.</summary>
    public TraceValues Only(int trace) => new([Values[trace]], [Groups[trace]], Math.Min(CutShort, 1));
}
