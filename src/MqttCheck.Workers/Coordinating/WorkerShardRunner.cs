using System.Net;
using MqttCheck.Shards;
using MqttCheck.Shards.Parts;
using MqttCheck.Workers.Joining;

namespace MqttCheck.Workers.Coordinating;

/// <summary>
/// Computes replications on workers. As many shards are under way as the workers have slots. A shard whose worker is
/// lost, or late, is given to another one; the answer that comes first counts. Parts of live runs are made as well.
/// </summary>
internal sealed class WorkerShardRunner(WorkerPool pool, Action<WorkerProgress> report)
    : IShardRunner,
        IPartRunner,
        IAsyncDisposable
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(15);

    /// <summary>The workers with a known state.</summary>
    public IReadOnlyList<WorkerState> Workers => pool.States;

    /// <summary>How long nobody may answer before a job is given up. Default: a minute.</summary>
    public TimeSpan LongestSilence { get; set; } = TimeSpan.FromMinutes(1);

    /// <summary>How many replications a shard may have. For benchmarks of many shards.</summary>
    internal int MostOfShard { get; set; } = int.MaxValue;

    /// <summary>How many replications all jobs together have computed; each counts once.</summary>
    public long Replications { get; private set; }

    /// <summary>How many shards had to be given out again.</summary>
    public long Repeated { get; private set; }

    /// <summary>Connects to the workers at an address.</summary>
    /// <param name="address">The address at which workers find each other.</param>
    /// <param name="security">The protection of the connections.</param>
    /// <param name="catalogue">The kinds of job that this tool knows: workers must know the same.</param>
    /// <param name="report">Is told how far a job is.</param>
    /// <param name="warn">Is told which workers are not used.</param>
    /// <param name="cancellation">Gives up.</param>
    /// <exception cref="WorkerException">No worker may be used, with the reason.</exception>
    public static async Task<WorkerShardRunner> ConnectAsync(
        WorkerAddress address,
        WorkerSecurity security,
        JobCatalogue catalogue,
        Action<WorkerProgress> report,
        Action<string> warn,
        CancellationToken cancellation
    )
    {
        var pool = new WorkerPool(address, security, SoftwareIdentity.Of(catalogue), warn);
        try
        {
            await pool.StartAsync(s_patience, cancellation);
        }
        catch
        {
            await pool.DisposeAsync();
            throw;
        }
        return new(pool, report);
    }

    /// <summary>Waits until every worker that is listed has answered or failed.</summary>
    /// <param name="cancellation">Gives up.</param>
    public Task SettleAsync(CancellationToken cancellation) => pool.SettleAsync(s_patience, cancellation);

    /// <inheritdoc/>
    public IEnumerable<TOutcome> Run<TOutcome>(
        ReplicationJob<TOutcome> job,
        int? replications,
        CancellationToken cancellation
    )
    {
        return Outcomes(job, job.Describe(), replications, cancellation);
    }

    /// <inheritdoc/>
    IReadOnlyList<IPEndPoint> IPartRunner.Workers => [.. InOrder().Select(link => link.Endpoint)];

    /// <inheritdoc/>
    public async Task<IPartCrew> PrepareAsync(
        string kind,
        IReadOnlyList<byte[]> descriptions,
        CancellationToken cancellation
    )
    {
        var links = InOrder();
        if (links.Count < descriptions.Count)
            throw new WorkerException($"{descriptions.Count} workers were there, and now there are {links.Count}.");
        return await PartCrew.PrepareAsync(kind, descriptions, links, cancellation);
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => pool.DisposeAsync();

    // The same worker makes the same part in each run, as long as it is there.
    private List<WorkerLink> InOrder() =>
        [.. pool.Links.Where(link => !link.IsLost).OrderBy(link => link.Endpoint.ToString(), StringComparer.Ordinal)];

    private IEnumerable<TOutcome> Outcomes<TOutcome>(
        ReplicationJob<TOutcome> job,
        JobDescription description,
        int? replications,
        CancellationToken cancellation
    )
    {
        using var dispatch = new ShardDispatch(pool, description, replications, LongestSilence, MostOfShard, report);
        try
        {
            while (dispatch.Next(cancellation) is { } next)
            {
                foreach (var outcome in job.Read(next.Shard, next.Outcomes))
                    yield return outcome;
            }
        }
        finally
        {
            Replications += dispatch.Done;
            Repeated += dispatch.Repeated;
        }
    }
}
