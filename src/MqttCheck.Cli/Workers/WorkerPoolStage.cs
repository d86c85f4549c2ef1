using MqttCheck.App.Runs;
using MqttCheck.Brokers.Fleets.Parts;
using MqttCheck.Brokers.Loads.Parts;
using MqttCheck.Cli.Terminal;
using MqttCheck.Shards;
using MqttCheck.Workers.Coordinating;
using MqttCheck.Workers.Joining;
using static System.FormattableString;

namespace MqttCheck.Cli.Workers;

/// <summary>Work that is done with workers, and what is shown of them meanwhile.</summary>
internal static class WorkerPoolStage
{
    /// <summary>Connects, works and disconnects.</summary>
    /// <exception cref="InputException">The address or the certificate is not allowed.</exception>
    /// <exception cref="WorkerException">No worker may be used, or none answers any longer.</exception>
    public static async Task<TResult> RunAsync<TResult>(
        string address,
        string? certificate,
        Screen screen,
        Interruption interruption,
        Func<IShardRunner?, Task<TResult>> work
    )
    {
        var security = Security(certificate);
        var where = WorkerAddress.Parse(address, "--workers");
        return await screen.ProgressAsync(
            "Simulate on workers",
            async report =>
            {
                await using var runner = await WorkerShardRunner.ConnectAsync(
                    where,
                    security,
                    WorkerJobs.Catalogue(),
                    // Each setup has replications of its own, so a share of all of them is not known.
                    progress => report(double.NaN, Describe(progress)),
                    text => screen.Warn(text),
                    interruption.Orderly
                );
                var result = await Task.Run(() => work(runner));
                screen.Note(
                    Invariant($"{runner.Replications} replications on workers, ")
                        + Invariant($"{Count(runner.Repeated, "shard")} given out again")
                );
                return result;
            }
        );
    }

    /// <summary>Refuses an address or a certificate that is not allowed; connects to nobody.</summary>
    /// <exception cref="InputException">One of them is not allowed.</exception>
    public static void Require(string address, string? certificate)
    {
        Security(certificate);
        WorkerAddress.Parse(address, "--workers");
    }

    /// <summary>Connects to the workers that load a broker, and says who they are.</summary>
    /// <exception cref="WorkerException">No worker may be used.</exception>
    public static async Task<LiveWorkers> ConnectAsync(
        string address,
        string? certificate,
        Screen screen,
        Interruption interruption
    )
    {
        var runner = await WorkerShardRunner.ConnectAsync(
            WorkerAddress.Parse(address, "--workers"),
            Security(certificate),
            WorkerJobs.Catalogue(),
            _ => { },
            text => screen.Warn(text),
            interruption.Orderly
        );
        try
        {
            await runner.SettleAsync(interruption.Orderly);
        }
        catch
        {
            await runner.DisposeAsync();
            throw;
        }
        var used = runner.Workers.Where(worker => worker.Refusal is null).ToList();
        screen.Note(
            Invariant($"the clients are divided among {Count(used.Count, "worker")}: ")
                + string.Join(", ", used.Select(worker => $"{worker.Address} ({worker.Machine})"))
        );
        return new(new SharedFleetRunner(runner), new SharedLoadRunner(runner), runner);
    }

    /// <summary>The certificate that was given, and the key of the environment.</summary>
    /// <exception cref="InputException">One of them is not allowed.</exception>
    public static WorkerSecurity Security(string? certificate) =>
        WorkerSecurity.Of(certificate, Environment.GetEnvironmentVariable(WorkerSecurity.KeyVariable));

    private static string Describe(WorkerProgress progress) =>
        Invariant($"{progress.Done} replications, {Count(progress.Workers, "worker")}, {Count(progress.Slots, "slot")}")
        + (progress.Repeated > 0 ? Invariant($", {Count(progress.Repeated, "shard")} repeated") : "");

    private static string Count(long count, string what) => Invariant($"{count} {what}{(count == 1 ? "" : "s")}");
}
