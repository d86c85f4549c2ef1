using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Clusters.Tests.Topologies.Faults;

[TestFixture]
internal sealed class FaultTextTests
{
    private static readonly Gen<string> s_name = Gen.Elements("a", "b1", "oslo", "n12");

    // Up to a day, in all units that are printed.
    private static readonly Gen<long> s_time =
        from number in Gen.Choose(0, 86_400)
        from unit in Gen.Elements(1L, 1_000L, 1_000_000L, 1_000_000_000L)
        select number * unit;

    private static readonly Gen<FaultTime> s_at = Gen.OneOf(
        s_time.Select(FaultTime.At),
        from first in s_time
        from more in Gen.Choose(1, 1_000_000)
        where first + more <= 86_400_000_000_000
        select new FaultTime(first, first + more)
    );

    private static readonly Gen<long?> s_duration = Gen.OneOf(
        Gen.Constant((long?)null),
        s_time.Where(time => time > 0).Select(time => (long?)time)
    );

    // The nodes of a fault that does not name its nodes are drawn.
    private static readonly Gen<ClusterFault> s_target = Gen.OneOf(
        Gen.Elements(FaultReach.Any, FaultReach.Majority, FaultReach.All)
            .Select(reach => new ClusterFault { Kind = FaultKind.Kill, Reach = reach }),
        from count in Gen.Choose(1, 3)
        from names in s_name.ListOf(count)
        select new ClusterFault
        {
            Kind = FaultKind.Kill,
            Sides =
            [
                [.. names],
            ],
        }
    );

    private static readonly Gen<ClusterFault> s_node =
        from kind in Gen.Elements(
            FaultKind.Kill,
            FaultKind.Stop,
            FaultKind.Freeze,
            FaultKind.Power,
            FaultKind.Fill,
            FaultKind.Throttle,
            FaultKind.Leave
        )
        from target in s_target
        select target with
        {
            Kind = kind,
        };

    private static readonly Gen<ClusterFault> s_files =
        from target in s_target
        from files in Gen.Elements("*.db", "js/*.blk", "mosquitto.db")
        from amount in Gen.Choose(1, 1_000_000)
        from kind in Gen.Choose(0, 2)
        select kind == 0
            ? target with
            {
                Kind = FaultKind.Damage,
                Files = files,
                Bits = amount,
            }
            : target with
            {
                Kind = FaultKind.Truncate,
                Files = files,
                TailBytes = kind == 1 ? amount : null,
            };

    private static readonly Gen<ClusterFault> s_parted =
        from target in s_target
        from names in s_name.ListOf(3)
        from isOfClients in ArbMap.Default.GeneratorFor<bool>()
        select isOfClients
            ? target with
            {
                Kind = FaultKind.Partition,
                IsOfClients = true,
            }
            : new ClusterFault
            {
                Kind = FaultKind.Partition,
                IsOneWay = true,
                Sides =
                [
                    [names[0]],
                    [names[1], names[2]],
                ],
            };

    private static readonly Gen<ClusterFault> s_mix =
        from names in s_name.ListOf(2)
        from isOfSome in ArbMap.Default.GeneratorFor<bool>()
        from kinds in Gen.Choose(0, FaultMix.Known.Count)
        select new ClusterFault
        {
            Kind = FaultKind.Mix,
            Sides = isOfSome
                ?
                [
                    [.. names],
                ]
                : [],
            Kinds = [.. FaultMix.Known.Take(kinds)],
        };

    private static readonly Gen<ClusterFault> s_cut =
        from a in s_name
        from b in s_name
        where a != b
        from isAny in ArbMap.Default.GeneratorFor<bool>()
        select new ClusterFault
        {
            Kind = FaultKind.Cut,
            Sides = isAny
                ? []
                :
                [
                    [a],
                    [b],
                ],
        };

    private static readonly Gen<ClusterFault> s_slow =
        from cut in s_cut
        from delay in Gen.Elements<Law?>(null, new ConstantLaw(5), new NormalLaw(3, 1), new UniformLaw(.5, 1.25))
        from rate in Gen.Elements<double?>(null, 1000, 10_000_000, 1_500_000, 1e11)
        from loss in Gen.Elements<double?>(null, 0, .001, 1)
        where delay is not null || rate is not null || loss is not null
        select cut with
        {
            Kind = FaultKind.Slow,
            DelayMilliseconds = delay,
            BitsPerSecond = rate,
            Loss = loss,
        };

    private static readonly Gen<ClusterFault> s_partition =
        from sides in Gen.Choose(2, 4)
        from sizes in Gen.Choose(1, 3).ListOf(sides)
        from names in s_name.ListOf(sizes.Sum())
        select new ClusterFault
        {
            Kind = FaultKind.Partition,
            Sides = [.. sizes.Select((size, side) => names.Skip(sizes.Take(side).Sum()).Take(size).ToArray())],
        };

    private static readonly Gen<ClusterFault> s_fault =
        from fault in Gen.OneOf(s_node, s_files, s_cut, s_slow, s_partition, s_parted, s_mix)
        from at in s_at
        from duration in s_duration
        select fault with
        {
            At = at,
            DurationNanoseconds =
                fault.Kind == FaultKind.Mix ? duration ?? 1
                : fault.Kind == FaultKind.Leave || fault.Kind.ChangesFiles() ? null
                : duration,
        };

    [Test]
    public void A_fault_that_is_printed_is_read_as_the_same_fault() =>
        Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(2000),
            Prop.ForAll(
                s_fault.ToArbitrary(),
                fault => IsSame(FaultText.Parse(fault.ToString(), "test"), fault).Label(fault.ToString())
            )
        );

    // Equal faults read the same, so the values behind the text are compared too.
    private static bool IsSame(ClusterFault read, ClusterFault fault) =>
        read.Equals(fault)
        && (read.Kind, read.At, read.DurationNanoseconds) == (fault.Kind, fault.At, fault.DurationNanoseconds)
        && (read.BitsPerSecond, read.Loss) == (fault.BitsPerSecond, fault.Loss)
        && (read.Reach, read.IsOneWay, read.IsOfClients) == (fault.Reach, fault.IsOneWay, fault.IsOfClients)
        && (read.Files, read.Bits, read.TailBytes) == (fault.Files, fault.Bits, fault.TailBytes)
        && read.Kinds.SequenceEqual(fault.Kinds)
        && Equals(read.DelayMilliseconds, fault.DelayMilliseconds)
        && read.Sides.SelectMany(side => side).SequenceEqual(fault.Sides.SelectMany(side => side));

    [TestCase("kill b1 at 20s for 10s", "kill b1 at 20s for 10s")]
    [TestCase("  kill   any at U(10s,50s)", "kill any at U(10s,50s)")]
    [TestCase("freeze a at 1.5s for 2min", "freeze a at 1500ms for 120s")]
    [TestCase("stop a at 0s", "stop a at 0s")]
    [TestCase("join c at 250us", "join c at 250us")]
    [TestCase("cut a-b at 1h", "cut a-b at 3600s")]
    [TestCase("partition a|b,c at 1s for 1s", "partition a|b,c at 1s for 1s")]
    [TestCase("partition a>b,c at 1s for 1s", "partition a>b,c at 1s for 1s")]
    [TestCase("partition clients|any at 1s for 1s", "partition clients|any at 1s for 1s")]
    [TestCase("kill majority at 1s", "kill majority at 1s")]
    [TestCase("power all at 5s for 3s", "power all at 5s for 3s")]
    [TestCase("stop a,b at 5s", "stop a,b at 5s")]
    [TestCase("fill a at 5s for 3s", "fill a at 5s for 3s")]
    [TestCase("throttle a at 5s for 3s", "throttle a at 5s for 3s")]
    [TestCase("damage a *.db bits=8 at 6s", "damage a *.db bits=8 at 6s")]
    [TestCase("truncate a js/*.blk at 6s", "truncate a js/*.blk at 6s")]
    [TestCase("truncate a log tail=100 at 6s", "truncate a log tail=100 at 6s")]
    [TestCase("leave a at 6s", "leave a at 6s")]
    [TestCase("mix at 5s for 60s", "mix at 5s for 60s")]
    [TestCase("mix a,b kinds=kill,power at 5s for 60s", "mix a,b kinds=kill,power at 5s for 60s")]
    [TestCase(
        "slow a-b delay=normal:30ms,2ms rate=2500kbit loss=0.5 at 1s",
        "slow a-b delay=normal:30ms,2ms rate=2.5Mbit loss=0.5 at 1s"
    )]
    public void The_forms_of_the_manual_are_read(string text, string printed) =>
        Assert.That(FaultText.Parse(text, "test").ToString(), Is.EqualTo(printed));

    [TestCase("", "it ends too early")]
    [TestCase("burn a at 1s", "there is no fault 'burn'")]
    [TestCase("kill", "it ends too early; allowed: a node, several with commas, any, majority or all")]
    [TestCase("kill a,,b at 1s", "'' is no name")]
    [TestCase("kill clients at 1s", "'clients' is no name of a node")]
    [TestCase("join all at 1s", "'all' is no name of a node")]
    [TestCase("leave a at 1s for 5s", "stays away")]
    [TestCase("damage a at 1s", "does not say which files")]
    [TestCase("damage a /etc/passwd bits=1 at 1s", "does not say which files")]
    [TestCase("damage a ../x bits=1 at 1s", "does not say which files")]
    [TestCase("damage a *.db at 1s", "does not say how many bits")]
    [TestCase("damage a *.db bits=0 at 1s", "'0' is no number of bits")]
    [TestCase("damage a *.db tail=1 at 1s", "unknown key 'tail'")]
    [TestCase("damage a *.db bits=1 at 1s for 2s", "stay as they are")]
    [TestCase("truncate a *.db bits=1 at 1s", "unknown key 'bits'")]
    [TestCase("partition a>b>c at 1s", "is no direction")]
    [TestCase("partition clients|a|b at 1s", "'clients' is no name")]
    [TestCase("mix at 1s", "a mix ends")]
    [TestCase("mix", "it ends too early")]
    [TestCase("mix all at 1s for 9s", "'all' is no name")]
    [TestCase("mix kinds=damage at 1s for 9s", "are no kinds of a mix")]
    [TestCase("mix bits=1 at 1s for 9s", "unknown key 'bits'")]
    [TestCase("slow-disk a at 1s", "there is no fault 'slow-disk'")]
    [TestCase("kill A at 1s", "'A' is no name of a node")]
    [TestCase("kill a", "it does not say when")]
    [TestCase("kill a at", "it ends too early")]
    [TestCase("kill a at soon", "'soon' is no time")]
    [TestCase("kill a at 20", "'20' is no time")]
    [TestCase("kill a at -1s", "'-1s' is no time")]
    [TestCase("kill a at 25h", "'25h' is no time")]
    [TestCase("kill a at U(5s,5s)", "has no room")]
    [TestCase("kill a at 1s for 0s", "'0s' is no duration")]
    [TestCase("kill a at 1s until 2s", "'until' is not allowed here")]
    [TestCase("kill a at 1s for 2s 3s", "'3s' is not allowed here")]
    [TestCase("join any at 1s", "has a name")]
    [TestCase("join a at 1s for 5s", "stays")]
    [TestCase("cut a at 1s", "'a' is no link")]
    [TestCase("cut a-a at 1s", "joins a node with itself")]
    [TestCase("slow a-b at 1s", "does not say how slow")]
    [TestCase("slow a-b delay=5 at 1s", "is not a law")]
    [TestCase("slow a-b rate=0kbit at 1s", "is no rate")]
    [TestCase("slow a-b loss=1.5 at 1s", "is no share")]
    [TestCase("slow a-b jitter=1 at 1s", "unknown key 'jitter'")]
    [TestCase("partition a,b at 1s", "has one side")]
    [TestCase("partition a|| at 1s", "'' is no name")]
    public void Any_other_text_is_refused_with_what_is_allowed(string text, string part) =>
        Assert.That(
            () => FaultText.Parse(text, "--fault"),
            Throws
                .TypeOf<InputException>()
                .With.Message.StartsWith($"--fault: '{text}' is not a fault: ")
                .And.Message.Contains(part)
        );
}
