using MqttCheck.Cli.Results;
using MqttCheck.Verification;

namespace MqttCheck.Cli.Tests.Results;

/// <summary>Which run a report puts beside its own.</summary>
[TestFixture]
internal sealed class EarlierVerdictsTests : DirectoryFixture
{
    [Test]
    public void The_latest_run_before_this_one_stands_beside_it_whatever_the_times_of_the_files()
    {
        Write("embedded-20261120-100000.json", .7);
        var latest = Write("embedded-20261121-100000.json", .8);
        var own = Write("embedded-20261122-100000.json", .9);
        Write("embedded-20261123-100000.json", .1);
        File.SetLastWriteTimeUtc(latest, new(2001, 1, 1, 0, 0, 0, DateTimeKind.Utc));

        var earlier = EarlierVerdicts.Before(own, VerdictFile.Read(own));
        Assert.That((earlier?.File, earlier!.Verdicts.Single().MeasuredProbability), Is.EqualTo((latest, .8)));
    }

    [Test]
    public void A_run_on_another_broker_or_of_other_setups_and_a_broken_file_are_passed_over()
    {
        var wanted = Write("embedded-20261117-100000.json", .7);
        Write("embedded-20261118-100000.json", .8, clients: 999);
        Write("embedded-20261119-100000.json", .8, broker: "mosquitto");
        File.WriteAllText(In("embedded-20261120-100000.json"), "{");
        Write("embedded-quick-20261121-100000.json", .8);
        var own = Write("embedded-20261122-100000.json", .9);
        Assert.That(EarlierVerdicts.Before(own, VerdictFile.Read(own))?.File, Is.EqualTo(wanted));
    }

    [Test]
    public void The_first_run_and_a_file_without_a_time_in_its_name_have_none_before()
    {
        var first = Write("embedded-20261122-100000.json", .9);
        var named = Write("verdicts.json", .9);
        Assert.That(EarlierVerdicts.Before(first, VerdictFile.Read(first)), Is.Null);
        Assert.That(EarlierVerdicts.Before(named, VerdictFile.Read(named)), Is.Null);
    }

    [Test]
    public void The_counts_of_each_run_survive_the_file()
    {
        var file = Write("embedded-20261122-100000.json", .9);
        Assert.That(
            VerdictFile.Read(file).Verdicts.Single().RunCounts.Select(run => (run.Successes, run.Samples)),
            Is.EqualTo([(9, 10), (8, 10)])
        );
    }

    private string Write(string name, double measured, int clients = 50, string broker = "embedded")
    {
        var path = In(name);
        VerdictFile.Write(
            path,
            new()
            {
                ToolVersion = "0.1.0",
                Broker = new() { Name = broker },
                Prediction = "predictions/one.json",
                Log = "logs/one.csv",
                Seed = 1,
                Repeat = "mqttcheck run --seed 1",
                Verdicts =
                [
                    new()
                    {
                        Point = new("up1", clients, 20, .85, new(.8, .9)),
                        Kind = VerdictKind.Confirmed,
                        Reason = "it holds",
                        MeasuredProbability = measured,
                        RunCounts = [new(9, 10), new(8, 10)],
                    },
                ],
            }
        );
        return path;
    }
}
