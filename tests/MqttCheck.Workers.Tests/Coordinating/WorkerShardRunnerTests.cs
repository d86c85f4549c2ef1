using System.Globalization;
using System.Net;
using System.Net.Sockets;
using MqttCheck.Shards;
using MqttCheck.Workers.Computing;
using MqttCheck.Workers.Coordinating;
using MqttCheck.Workers.Hosting;
using MqttCheck.Workers.Joining;
using MqttCheck.Workers.Tests.Computing;
using MqttCheck.Workers.Tests.Joining;

namespace MqttCheck.Workers.Tests.Coordinating;

/// <summary>Workers in this process; processes of their own, killed and frozen, are in the acceptance tests.</summary>
[TestFixture]
[Category("Whole")]
internal sealed class WorkerShardRunnerTests
{
    private const string Key = "a key of more than sixteen characters";

    private static readonly JobCatalogue s_catalogue = new JobCatalogue().Add(CountingJob.Kind, CountingJob.Parse);
    private static readonly WorkerSecurity s_open = WorkerSecurity.Of(null, null);

    [Test]
    public async Task Outcomes_are_the_same_with_one_worker_and_with_three()
    {
        var address = FreeAddress();
        var job = new CountingJob(5);
        var local = new LocalShardRunner(2).Run(job, 5000, default).ToArray();
        await using var first = await StartAsync(address);
        Assert.That(first.IsFirst, Is.True);
        await using (var one = await ConnectAsync(address))
        {
            Assert.That((one.Run(job, 5000, default).ToArray(), one.Replications), Is.EqualTo((local, 5000)));
        }
        await using var second = await StartAsync(address);
        await using var third = await StartAsync(address);
        Assert.That(second.IsFirst, Is.False);
        await using var three = await ConnectAsync(address);
        await three.SettleAsync(default);
        Assert.That(three.Workers.Select(worker => worker.Slots), Is.EqualTo(new[] { 1, 1, 1 }));
        Assert.That(three.Run(job, 5000, default), Is.EqualTo(local));
        Assert.That(three.Run(job, null, default).Take(700), Is.EqualTo(local.Take(700)), "without an end");
        // Each shard sleeps, so that every worker gets some.
        Assert.That(three.Run(new CountingJob(5, milliseconds: 5), 200, default), Is.EqualTo(local.Take(200)));
        await three.SettleAsync(default);
        Assert.That(three.Workers.Select(worker => worker.Replications), Has.All.GreaterThan(0));
        Assert.That(
            three.Workers.Select(worker => Math.Abs(worker.OffsetMilliseconds) <= worker.OffsetBoundMilliseconds),
            Has.All.True,
            "one machine has one clock"
        );
    }

    [Test]
    public async Task A_wrong_replication_is_told_in_its_turn_and_an_interruption_ends_the_shards_too()
    {
        var address = FreeAddress();
        await using var worker = await StartAsync(address);
        await using var runner = await ConnectAsync(address);
        var seen = 0;
        Assert.That(
            () =>
            {
                foreach (var _ in runner.Run(new CountingJob(1, failsFrom: 40), 1000, default))
                    seen++;
            },
            Throws.TypeOf<InputException>().With.Message.EqualTo("replication 40 is wrong")
        );
        Assert.That(seen, Is.LessThanOrEqualTo(40));

        using var stop = new CancellationTokenSource();
        Assert.That(
            () =>
            {
                // Its replications last a quarter of an hour.
                stop.CancelAfter(500);
                foreach (var _ in runner.Run(new CountingJob(1, milliseconds: 1_000_000), 1000, stop.Token)) { }
            },
            Throws.InstanceOf<OperationCanceledException>()
        );
        await Until(async () =>
        {
            await runner.SettleAsync(default);
            return runner.Workers[0].Busy == 0;
        });
    }

    [Test]
    public async Task A_worker_of_another_version_is_refused_and_both_versions_are_named()
    {
        var address = FreeAddress();
        var here = SoftwareIdentity.Of(s_catalogue);
        await using var worker = await StartAsync(address, identity: here with { Version = "9.9.9" });
        Assert.That(
            async () => await ConnectAsync(address),
            Throws
                .TypeOf<WorkerException>()
                .With.Message.Match(
                    @"^worker at 127\.0\.0\.1:\d+ \(.+\): it runs version 9\.9\.9, and this is version .+; allowed: the same version\.$"
                )
        );
    }

    [Test]
    public async Task Where_no_worker_is_there_the_address_to_give_is_told() =>
        Assert.That(
            async () => await ConnectAsync(FreeAddress()),
            Throws
                .TypeOf<WorkerException>()
                .With.Message.Match(@"^no worker answers there: 127\.0\.0\.1:\d+; allowed: the address ")
        );

    [TestCase("another key of sixteen characters")]
    [TestCase(null)]
    public async Task Who_does_not_know_the_key_joins_nothing_and_learns_nothing(string? key)
    {
        var address = FreeAddress();
        await using var worker = await StartAsync(address, WorkerSecurity.Of(null, Key));
        var stranger = WorkerSecurity.Of(null, key);
        Assert.That(
            async () => await ConnectAsync(address, stranger),
            Throws
                .TypeOf<WorkerException>()
                .With.Message.Contains(
                    "the shared key does not fit; allowed: the same MQTTCHECK_WORKER_KEY on both sides"
                )
        );
        Assert.That(
            async () => await StartAsync(address, stranger),
            Throws.TypeOf<WorkerException>().With.Message.Contains("cannot be joined: the shared key does not fit")
        );
        await using var coordinator = await ConnectAsync(address, WorkerSecurity.Of(null, Key));
        Assert.That(
            (coordinator.Run(new CountingJob(1), 10, default).Count(), coordinator.Workers.Count),
            Is.EqualTo((10, 1))
        );
    }

    [Test]
    public async Task Over_tls_only_those_with_the_certificate_talk()
    {
        var address = FreeAddress();
        using CertificateFile own = new(),
            other = new();
        await using var worker = await StartAsync(address, WorkerSecurity.Of(own.Path, Key));
        await using (var second = await StartAsync(address, WorkerSecurity.Of(own.Path, Key)))
        {
            await using var coordinator = await ConnectAsync(address, WorkerSecurity.Of(own.Path, Key));
            await coordinator.SettleAsync(default);
            Assert.That(
                (coordinator.Workers.Count, coordinator.Run(new CountingJob(1), 10, default).Count()),
                Is.EqualTo((2, 10))
            );
        }
        Assert.That(
            async () => await ConnectAsync(address, WorkerSecurity.Of(other.Path, Key)),
            Throws.TypeOf<WorkerException>().With.Message.Contains("its certificate is not in the file")
        );
        Assert.That(
            async () => await ConnectAsync(address, WorkerSecurity.Of(null, Key)),
            Throws.TypeOf<WorkerException>().With.Message.Contains("TLS where this side does not")
        );
    }

    private static Task<WorkerHost> StartAsync(
        WorkerAddress address,
        WorkerSecurity? security = null,
        SoftwareIdentity? identity = null
    ) =>
        WorkerHost.StartAsync(
            new()
            {
                Join = address,
                Slots = 1,
                Security = security ?? s_open,
                Identity = identity,
            },
            s_catalogue,
            default
        );

    private static Task<WorkerShardRunner> ConnectAsync(WorkerAddress address, WorkerSecurity? security = null) =>
        WorkerShardRunner.ConnectAsync(address, security ?? s_open, s_catalogue, _ => { }, _ => { }, default);

    private static async Task Until(Func<Task<bool>> holds)
    {
        for (var i = 0; i < 500; i++)
        {
            if (await holds())
                return;
            await Task.Delay(20);
        }
        Assert.Fail("it did not become so within ten seconds");
    }

    // Two neighbouring ports that are free.
    private static WorkerAddress FreeAddress()
    {
        while (true)
        {
            using var one = new TcpListener(IPAddress.Loopback, 0);
            one.Start();
            var port = ((IPEndPoint)one.LocalEndpoint).Port;
            try
            {
                using var next = new TcpListener(IPAddress.Loopback, port + 1);
                next.Start();
            }
            catch (SocketException)
            {
                continue;
            }
            return WorkerAddress.Parse(string.Create(CultureInfo.InvariantCulture, $"127.0.0.1:{port}"), "--join");
        }
    }
}
