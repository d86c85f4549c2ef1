using static System.FormattableString;

namespace MqttCheck.Properties.Traces;

/// <summary>How many traces of a group of clients a property was judged on.</summary>
/// <param name="Group">The name of the group; empty where it is not known.</param>
/// <param name="Judged">Traces about which the property says something.</param>
/// <param name="Traces">All traces of the group that were looked at.</param>
internal readonly record struct TracesOfGroup(string Group, long Judged, long Traces)
{
    /// <summary>The traces of two parts of one group.</summary>
    public static TracesOfGroup operator +(TracesOfGroup one, TracesOfGroup other) =>
        one with
        {
            Judged = one.Judged + other.Judged,
            Traces = one.Traces + other.Traces,
        };

    /// <summary>The group and its share, such as <c>sensors none of 900</c>.</summary>
    public string InWords =>
        Judged == 0 ? Invariant($"{Group} none of {Traces}")
        : Judged == Traces ? Invariant($"{Group} all {Traces}")
        : Invariant($"{Group} {Judged} of {Traces}");
}
