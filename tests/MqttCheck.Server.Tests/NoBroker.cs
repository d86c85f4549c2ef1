using MqttCheck.Server.Live;

namespace MqttCheck.Server.Tests;

/// <summary>A broker with a name, on which no work is done.</summary>
internal sealed class NoBroker : ILiveBroker
{
    public string Name => "embedded";

    public Task<VerificationPlanned> PlanAsync(VerificationAsked asked, CancellationToken cancellation) =>
        throw new InputException("no work is done on this broker");

    public Task<VerificationDone> VerifyAsync(
        VerificationAsked asked,
        Action<LiveProgress> progress,
        CancellationToken orderly,
        CancellationToken atOnce
    ) => throw new InputException("no work is done on this broker");

    public Task<string> ExploreAsync(
        VerificationAsked asked,
        Action<LiveProgress> progress,
        CancellationToken orderly,
        CancellationToken atOnce
    ) => throw new InputException("no work is done on this broker");
}
