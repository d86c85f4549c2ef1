using System.Globalization;
using MqttCheck.Shards;
using MqttCheck.Workers.Joining;
using Orleans.Concurrency;

namespace MqttCheck.Workers.Computing;

/// <summary>
/// Computes shards for any coordinator. Its state belongs to the process, so it is a stateless worker: it is activated
/// in the process to which a coordinator is connected.
/// </summary>
[Reentrant]
[StatelessWorker(1)]
internal sealed class WorkerGrain(JobStore jobs, ComputingSlots slots, SoftwareIdentity identity, WorkerClock clock)
    : Grain,
        IWorkerGrain
{
    /// <inheritdoc/>
    public Task<WorkerPulse> PulseAsync() =>
        Task.FromResult(
            new WorkerPulse
            {
                Machine = Environment.MachineName,
                ProcessId = Environment.ProcessId,
                Slots = slots.Count,
                Busy = slots.Busy,
                Load = Load(),
                Version = identity.Version,
                Build = identity.Build,
                Arithmetic = identity.Arithmetic,
                System = identity.System,
                Replications = slots.Replications,
                UtcTicks = clock.UtcTicks,
            }
        );

    /// <inheritdoc/>
    public Task<string[]?> OfferAsync(string kind, string job, string[] parts, string software) =>
        Task.FromResult(software == identity.Key ? jobs.Offer(kind, job, parts) : null);

    /// <inheritdoc/>
    public Task<string?> SupplyAsync(string name, byte[] content) => Task.FromResult(jobs.Supply(name, content));

    /// <inheritdoc/>
    public async Task<ShardAnswer> ComputeAsync(string job, int first, int count, CancellationToken cancellation)
    {
        try
        {
            return jobs.Find(job) is { } found
                ? await slots.ComputeAsync(job, found, new Shard(first, count), cancellation)
                : new() { IsUnknown = true };
        }
        catch (InputException wrong)
        {
            return new() { InputError = wrong.Message };
        }
    }

    private static double Load()
    {
        const string file = "/proc/loadavg";
        return
            File.Exists(file)
            && double.TryParse(
                File.ReadAllText(file).Split(' ')[0],
                NumberStyles.Float,
                CultureInfo.InvariantCulture,
                out var load
            )
            ? load
            : double.NaN;
    }
}
