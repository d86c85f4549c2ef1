using MqttCheck.Clients;
using MqttCheck.Properties.Traces;

namespace MqttCheck.Properties.Live;

/// <summary>The result of one live run for a property.</summary>
/// <param name="Fulfilling">Traces that fulfil it.</param>
/// <param name="Silent">Traces about which it says nothing.</param>
/// <param name="Traces">All counted traces.</param>
/// <param name="CutShort">
/// Traces that ended before they decided a formula whose spans are bounded; they count as they stood.
/// </param>
/// <param name="NotCounted">Traces that the end of the run cut, and those that began after them.</param>
public readonly record struct LiveRun(int Fulfilling, int Silent, int Traces, int CutShort, long NotCounted)
{
    /// <summary>Whose traces the property was judged on; without groups where nobody said.</summary>
    internal JudgedTraces Judged
    {
        get => field ?? JudgedTraces.Of(Traces - Silent, Traces);
        init;
    }

    /// <summary>The count for the test: only traces about which the property says something.</summary>
    public RunCount Count => new(Fulfilling, Traces - Silent);
}
