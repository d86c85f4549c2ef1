using MqttCheck.Shards;
using MqttCheck.Workers.Coordinating;
using MqttCheck.Workers.Joining;
using MqttCheck.Workers.Tests.Computing;

namespace MqttCheck.Workers.Tests.Coordinating;

/// <summary>
/// Workers in processes of their own, which are killed and frozen. Their replications sleep, so the tests do not depend
/// on how fast the machine is.
/// </summary>
[TestFixture]
[Platform("Linux")]
[Category("Whole")]
internal sealed class LostWorkerTests
{
    // No job stands still for so long, however busy the machine is.
    private static readonly TimeSpan s_patience = TimeSpan.FromMinutes(3);

    private readonly List<ChildWorker> _workers = [];
    private RedisServer _redis = null!;
    private WorkerProgress _progress;

    [SetUp]
    public async Task Start() => _redis = await RedisServer.StartAsync();

    [TearDown]
    public void End()
    {
        foreach (var worker in _workers)
            worker.Dispose();
        _workers.Clear();
        _redis?.Dispose();
    }

    // Jobs follow each other until the last kill. Seed 5 says which worker is killed, and after what pause.
    [TestCase(8, 2)]
    [TestCase(20, 5, Explicit = true)]
    public async Task Through_many_kills_every_replication_counts_once_and_in_order(int kills, int repeats)
    {
        const int replications = 2000,
            atFirst = 5;
        await Task.WhenAll(Enumerable.Range(0, atFirst).Select(_ => StartAsync()));
        await using var runner = await ConnectAsync();
        var job = new CountingJob(7, milliseconds: 5);
        var isOver = false;
        var jobs = Task.Run(() =>
        {
            var outcomes = new List<ulong[]>();
            do outcomes.Add([.. runner.Run(job, replications, default)]);
            while (!Volatile.Read(ref isOver));
            return outcomes;
        });
        var random = new Random(5);
        var joining = new List<Task>();
        for (var kill = 0; kill < kills; kill++)
        {
            var done = _progress.Done;
            var patience = Task.Delay(s_patience);
            while (_progress.Done == done && !jobs.IsCompleted && !patience.IsCompleted)
                await Task.Delay(random.Next(1, 400));
            // A job that has failed says why.
            if (jobs.IsCompleted)
                await jobs;
            Assert.That(_progress.Done, Is.Not.EqualTo(done), $"no progress after {kill} kills");
            // Never is the last one killed while the others still start.
            if (_workers.Count < 3)
                await Task.WhenAll(joining);
            await KillAsync(_workers[random.Next(_workers.Count)]);
            joining.Add(StartAsync());
        }
        Volatile.Write(ref isOver, true);
        ulong[] expected = [.. new LocalShardRunner(1).Run(new CountingJob(7), replications, default)];
        Assert.That(await jobs.WaitAsync(s_patience), Has.All.EqualTo(expected));
        Assert.That(runner.Replications, Is.EqualTo((long)replications * (await jobs).Count));
        Assert.That(runner.Repeated, Is.GreaterThan(repeats), "workers were killed at work");
        await Task.WhenAll(joining);
    }

    [Test]
    public async Task The_shards_of_a_frozen_worker_are_computed_by_the_other_and_it_ends_when_it_goes_on()
    {
        await Task.WhenAll(StartAsync(), StartAsync());
        await using var runner = await ConnectAsync();
        await runner.SettleAsync(default);
        Assert.That(runner.Workers, Has.Count.EqualTo(2));
        var job = new CountingJob(7, milliseconds: 5);
        var outcomes = Task.Run(() => runner.Run(job, 1000, default).ToArray());
        while (_progress.Done == 0)
            await Task.Delay(5);
        _workers[0].Signal("STOP");
        Assert.That(await outcomes, Is.EqualTo(new LocalShardRunner(1).Run(new CountingJob(7), 1000, default)));
        Assert.That(runner.Replications, Is.EqualTo(1000));
        while (runner.Workers.Count > 1)
            await Task.Delay(20);
        _workers[0].Signal("CONT");
        await _workers[0].EndAsync();
    }

    [Test]
    public async Task Where_the_last_worker_is_lost_the_job_ends_with_a_message()
    {
        await StartAsync();
        await using var runner = await ConnectAsync();
        runner.LongestSilence = TimeSpan.FromSeconds(2);
        var outcomes = Task.Run(() => runner.Run(new CountingJob(7, milliseconds: 5), 100_000, default).Count());
        while (_progress.Done == 0)
            await Task.Delay(5);
        _workers[0].Signal("KILL");
        Assert.That(
            async () => await outcomes,
            Throws
                .TypeOf<WorkerException>()
                .With.Message.Match(@"no worker has answered for 2 s, after \d+ replications")
        );
    }

    private async Task KillAsync(ChildWorker worker)
    {
        worker.Signal("KILL");
        await worker.EndAsync();
        lock (_workers)
            _workers.Remove(worker);
        worker.Dispose();
    }

    private async Task StartAsync()
    {
        var worker = await ChildWorker.StartAsync(_redis.Address).WaitAsync(s_patience);
        lock (_workers)
            _workers.Add(worker);
    }

    private Task<WorkerShardRunner> ConnectAsync() =>
        WorkerShardRunner.ConnectAsync(
            WorkerAddress.Parse(_redis.Address, "--workers"),
            WorkerSecurity.Of(null, null),
            ChildWorker.Catalogue,
            progress => _progress = progress,
            _ => { },
            default
        );
}
