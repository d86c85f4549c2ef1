using static System.FormattableString;

namespace MqttCheck.App.Clusters.Survival.Search;

/// <summary>A fault of a schedule.</summary>
/// <param name="Verb">What happens, in the language of faults.</param>
/// <param name="Target">Whom it hits.</param>
/// <param name="AtMilliseconds">When it begins.</param>
/// <param name="ForMilliseconds">How long it lasts.</param>
internal sealed record SearchFault(string Verb, string Target, int AtMilliseconds, int ForMilliseconds)
{
    /// <summary>When it ends.</summary>
    public int EndMilliseconds => AtMilliseconds + ForMilliseconds;

    /// <summary>The fault without its times.</summary>
    public string What => $"{Verb} {Target}";

    /// <summary>The fault in the language of faults.</summary>
    public string Text => Invariant($"{What} at {AtMilliseconds}ms for {ForMilliseconds}ms");
}
