using System.Globalization;
using MqttCheck.Shards;
using MqttCheck.Shards.Parts;
using MqttCheck.Workers.Coordinating;
using MqttCheck.Workers.Hosting;
using MqttCheck.Workers.Joining;
using MqttCheck.Workers.Tests.Computing;

namespace MqttCheck.Workers.Tests.Coordinating;

/// <summary>Parts of live runs on workers in this process.</summary>
[TestFixture]
[Category("Whole")]
internal sealed class PartCrewTests
{
    private const long ShiftNanoseconds = 5_000_000;

    private static readonly JobCatalogue s_catalogue = new JobCatalogue()
        .Add(CountingJob.Kind, CountingJob.Parse)
        .AddPart(EchoPart.Kind, EchoPart.Start);

    private static readonly WorkerSecurity s_open = WorkerSecurity.Of(null, null);

    private readonly List<WorkerHost> _workers = [];
    private WorkerShardRunner _runner = null!;

    // The second worker's clock is 5 ms ahead.
    [OneTimeSetUp]
    public async Task Start()
    {
        var address = WorkerAddress.Parse(
            string.Create(CultureInfo.InvariantCulture, $"127.0.0.1:{RedisServer.FreePort()}"),
            "--join"
        );
        foreach (var shift in (TimeSpan[])[TimeSpan.Zero, TimeSpan.FromMilliseconds(5)])
            _workers.Add(
                await WorkerHost.StartAsync(
                    new()
                    {
                        Join = address,
                        Slots = 1,
                        Security = s_open,
                        Clock = new(shift),
                    },
                    s_catalogue,
                    default
                )
            );
        _runner = await WorkerShardRunner.ConnectAsync(address, s_open, s_catalogue, _ => { }, _ => { }, default);
        await _runner.SettleAsync(default);
    }

    [OneTimeTearDown]
    public async Task End()
    {
        await _runner.DisposeAsync();
        foreach (var worker in Enumerable.Reverse(_workers))
            await worker.DisposeAsync();
    }

    // Both read the one clock of this machine, so what is measured is known.
    [Test]
    public async Task A_clock_is_measured_within_its_bound_and_a_shifted_one_is_corrected_to_within_it()
    {
        await using var crew = await PrepareAsync([0], [0]);
        var clocks = await crew.MeasureClocksAsync();
        var shifts = _runner.Workers.Select(worker => IsShifted(worker.Address) ? ShiftNanoseconds : 0).ToArray();
        Assert.That(shifts, Is.EquivalentTo((long[])[0, ShiftNanoseconds]));
        var start = await crew.BeginAsync(clocks, TimeSpan.FromMilliseconds(100));
        for (var part = 0; part < clocks.Count; part++)
        {
            Assert.That(clocks[part].BoundNanoseconds, Is.GreaterThan(0));
            Assert.That(clocks[part].OffsetNanoseconds, Is.EqualTo(shifts[part]).Within(clocks[part].BoundNanoseconds));
            var told = EchoPart.Read(await crew.TakeAsync(part)).StartNanoseconds;
            Assert.That(told, Is.EqualTo(start).Within(clocks[part].BoundNanoseconds));
        }
        Assert.That(
            _runner.Workers.Select(worker => IsShifted(worker.Address) ? 5 : 0).Zip(_runner.Workers),
            Has.All.Matches<(int Shift, WorkerState Worker)>(pair =>
                Math.Abs(pair.Worker.OffsetMilliseconds - pair.Shift) <= pair.Worker.OffsetBoundMilliseconds
            ),
            "in the list of workers"
        );
    }

    [Test]
    public async Task The_notes_of_a_part_reach_another_one_each_once_and_in_order()
    {
        await using var crew = await PrepareAsync([0], [1]);
        await crew.BeginAsync(await crew.MeasureClocksAsync(), TimeSpan.Zero);
        byte[] received;
        do
        {
            await Task.Delay(5);
            received = EchoPart.Read(await crew.TakeAsync(0)).Notes;
        } while (received.Length < EchoPart.Notes);
        Assert.That(received, Is.EqualTo(Enumerable.Range(0, EchoPart.Notes).Select(i => (byte)i)));
        Assert.That(EchoPart.Read(await crew.TakeAsync(1)).Notes, Is.Empty);
    }

    [Test]
    public void What_a_worker_refuses_is_told_with_its_address() =>
        Assert.That(
            async () => await PrepareAsync([0], []),
            Throws.TypeOf<InputException>().With.Message.Match(@"^the worker at 127\.0\.0\.1:\d+: an echo of nothing$")
        );

    [Test]
    public void More_parts_than_workers_are_refused() =>
        Assert.That(
            async () => await PrepareAsync([0], [0], [0]),
            Throws.TypeOf<WorkerException>().With.Message.EqualTo("3 workers were there, and now there are 2.")
        );

    private bool IsShifted(string address) => _workers[1].Coordinators.ToString() == address;

    private Task<IPartCrew> PrepareAsync(params IReadOnlyList<byte[]> descriptions) =>
        _runner.PrepareAsync(EchoPart.Kind, descriptions, default);
}
