using System.Diagnostics;

namespace MqttCheck.ClusterProtocols.Generation;

/// <summary>The kinds of steps that a case has, in the words of its text: what was tried, and how often.</summary>
internal static class CaseKinds
{
    // So many publications are more than the few that any case has.
    private const int Many = 20;
    private const long CloseNanoseconds = 1_000_000_000;

    /// <summary>The kinds of a case, each once.</summary>
    /// <param name="tested">The case.</param>
    public static IReadOnlySet<string> Of(ClusterCase tested)
    {
        var kinds = tested.Steps.Select(Of).ToHashSet(StringComparer.Ordinal);
        var faults = tested
            .Steps.OfType<CaseFault>()
            .Select(step => step.Fault.At.EarliestNanoseconds)
            .Order()
            .ToList();
        if (faults.Zip(faults.Skip(1), (one, next) => next - one).Any(gap => gap < CloseNanoseconds))
            kinds.Add("faults within 1s");
        if (tested.Steps.OfType<CaseOperation>().Count(step => step.Verb == CaseVerb.Publish) >= Many)
            kinds.Add("20 publications or more");
        return kinds;
    }

    private static string Of(CaseStep step) =>
        step switch
        {
            CaseOperation operation => operation.Verb.ToString().ToLowerInvariant(),
            CaseFault fault => fault.Fault.Kind.ToString().ToLowerInvariant(),
            CaseAbsence => "leave",
            CaseLostAnnouncements => "announcements lost",
            CaseCapability => "capability",
            CaseRoot => "root",
            CaseLimit => "limit",
            CaseLifetime => "lifetime",
            CaseWay => "way",
            CaseDelay => "delay",
            CaseSilence => "silence",
            CaseOmission => "without",
            _ => throw new UnreachableException(),
        };
}
