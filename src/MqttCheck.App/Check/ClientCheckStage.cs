using MqttCheck.App.Progress;
using MqttCheck.Conformance.Roles.Running;
using MqttCheck.Conformance.Roles.Scripts;
using MqttCheck.Conformance.Roles.Searching;

namespace MqttCheck.App.Check;

/// <summary>The stage from a client program to findings: MqttCheck plays the broker.</summary>
internal sealed class ClientCheckStage(Workplace place, ClientCheckRequest request)
{
    private readonly DateTimeOffset _started = place.Time.GetUtcNow();

    /// <summary>Explores the program.</summary>
    public async Task<ClientCheckAnswer> ExploreAsync()
    {
        var report = await place.Progress.ProgressAsync(
            "Check",
            async progress =>
            {
                using var check = Check(progress);
                return await check.ExploreAsync(place.Orderly);
            }
        );
        var isInterrupted = place.Orderly.IsCancellationRequested;
        return new(report, new ClientCheckDescription(request).Of(report, _started, isInterrupted));
    }

    /// <summary>Plays a script several times.</summary>
    /// <param name="where">Where the script is from, for messages.</param>
    /// <exception cref="InputException">The text is no script.</exception>
    public async Task<ClientReplayAnswer> ReplayAsync(string text, string where, int times)
    {
        using var check = Check((_, _) => { });
        return new(request, await check.ReplayAsync(BrokerScript.Parse(text, where), times, place.Orderly));
    }

    private ClientCheck Check(Action<double, string> progress) =>
        new(
            (script, patience, cancellation) => ProgramRun.PlayAsync(request.Words, script, patience, cancellation),
            new()
            {
                Seed = request.Seed,
                Budget = request.Budget,
                WithMalformed = request.WithMalformed,
            }
        )
        {
            Progress = progress,
            Counts = request.Counts,
        };
}
