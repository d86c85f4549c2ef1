using MqttCheck.Verification;

namespace MqttCheck.Brokers.Campaigns;

/// <summary>How far a verification has come.</summary>
/// <param name="Share">The share that is done, 0 .. 1.</param>
/// <param name="Detail">A few words for people: which run, how many sequences.</param>
/// <param name="Verdicts">What the test of every point says now, in the order of the points.</param>
/// <param name="Moved">Those of the run that has just ended; none while a run goes on.</param>
public sealed record VerificationProgress(
    double Share,
    string Detail,
    IReadOnlyList<Verdict> Verdicts,
    IReadOnlyList<Verdict> Moved
);
