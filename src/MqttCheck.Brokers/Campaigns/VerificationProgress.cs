using MqttCheck.Verification;

namespace MqttCheck.Brokers.Campaigns;

/// <summary>How far a verification has come.</summary>
/// <param name="Share">The share that is done, 0 .. 1.</param>
/// <param name="Detail">A few words for people: which run, how many sequences.</param>
/// <param name="Verdicts">The present verdict of the test of every point, in the order of the points.</param>
/// <param name="Moved">The verdicts of the run that has just ended; empty while a run goes on.</param>
internal sealed record VerificationProgress(
    double Share,
    string Detail,
    IReadOnlyList<Verdict> Verdicts,
    IReadOnlyList<Verdict> Moved
);
