using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Processes.Recipes;
using MqttCheck.Brokers.Processes.Settings;

namespace MqttCheck.Brokers.Tests.Processes.Settings;

internal sealed class BrokerSettingsTests
{
    [TestCase("mosquitto:autosave=1s", "mosquitto:autosave=1s", "autosave", "1s")]
    [TestCase("mosquitto:autosave=24h:tuned", "mosquitto:tuned:autosave=24h", "autosave", "24h")]
    [TestCase("mosquitto:ws:autosave=5min", "mosquitto:ws:autosave=5min", "autosave", "5min")]
    [TestCase("nats:sync=always", "nats:sync=always", "sync", "always")]
    [TestCase("rabbitmq:queue=quorum", "rabbitmq:queue=quorum", "queue", "quorum")]
    [TestCase("aedes-redis:appendfsync=always", "aedes-redis:appendfsync=always", "appendfsync", "always")]
    public void A_setting_is_part_of_the_name(string text, string name, string setting, string value)
    {
        var specification = BrokerSpecification.Parse(text);
        Assert.That((specification.Name, specification.Settings[setting]), Is.EqualTo((name, value)));
        Assert.That(BrokerSpecification.Parse(name).Name, Is.EqualTo(name), "the normal form names the same broker");
    }

    [TestCase("mosquitto:autosav=1s", "there is no option 'autosav'; allowed: autosave=TIME")]
    [TestCase("mosquitto:autosave=0s", "autosave is '0s'; allowed: a time such as 1s or 5min, up to 24h")]
    [TestCase("mosquitto:autosave=25h", "autosave is '25h'; allowed: a time")]
    [TestCase("mosquitto:autosave=", "autosave is ''; allowed: a time")]
    [TestCase("mosquitto:autosave=1s:autosave=2s", "autosave is given twice")]
    [TestCase("rabbitmq:queue=stream", "queue is 'stream'; allowed: classic, quorum")]
    [TestCase("aedes:autosave=1s", "allowed: none, for this broker has no options")]
    [TestCase("aedes-redis:appendonly=no:appendfsync=always", "allowed: one of both")]
    [TestCase("aedes-redis:tuned", "aedes-redis")]
    [TestCase("mosquito:autosave=1s", "mosquitto:autosave=TIME")]
    public void A_wrong_setting_is_refused_with_what_is_allowed(string text, string part) =>
        Assert.That(() => BrokerSpecification.Parse(text), Throws.TypeOf<InputException>().With.Message.Contains(part));

    [Test]
    public void Every_setting_is_named_where_brokers_are_refused_and_in_the_help() =>
        Assert.Multiple(() =>
        {
            foreach (var form in BrokerSettings.All.Select(setting => setting.Form))
            {
                Assert.That(BrokerSpecification.AllowedForms, Does.Contain(form));
                Assert.That(BrokerSpecification.Help, Does.Contain(form));
            }
        });

    [Test]
    public void The_page_of_brokers_has_every_setting_as_it_is_declared()
    {
        var page = File.ReadAllText(RepositoryFiles.At("docs/manual/brokers.md"));
        Assert.Multiple(() =>
        {
            foreach (var (form, setting) in BrokerSpecification.OptionForms.Zip(BrokerSpecification.Options))
                Assert.That(
                    page,
                    Does.Contain(
                        $"| `{form.Replace("|", "\\|")}` | {setting.Effect} | {setting.Cost} | {setting.Default} |"
                    )
                );
        });
    }

    [TestCase("2.9.10", false)]
    [TestCase("2.10.0", true)]
    [TestCase("2.11.1-beta", true)]
    [TestCase("unknown", true)]
    public void A_version_without_the_setting_is_refused_with_its_reason(string version, bool isAllowed)
    {
        Action check = () =>
            BrokerSettings.RequireVersion(
                BrokerKind.Nats,
                "nats:sync=always",
                version,
                BrokerSpecification.Parse("nats:sync=always").Settings
            );
        if (isAllowed)
            Assert.DoesNotThrow(check);
        else
            Assert.That(
                check,
                Throws
                    .TypeOf<InputException>()
                    .With.Message.EqualTo(
                        "Broker nats:sync=always: the installed version 2.9.10 has no sync_interval and syncs its "
                            + "files every 2 minutes; sync came with 2.10. Allowed: a newer version, or no sync."
                    )
            );
    }

    [Test]
    public void A_time_of_JetStream_is_one_that_the_server_reads() =>
        Assert.That(
            NatsRecipe.JetStream("/d", BrokerSpecification.Parse("nats:sync=5min").Settings),
            Is.EqualTo("jetstream { store_dir: \"/d/js\", sync_interval: \"300s\" }")
        );

    [Test]
    public void Mosquitto_keeps_its_file_in_its_own_directory_when_it_is_to_be_saved()
    {
        Installed.Require("mosquitto");
        var directory = Directory.CreateTempSubdirectory("mqttcheck-").FullName;
        try
        {
            Assert.That(Lines(new(isTuned: false, BrokerTransport.Tcp)), Does.Not.Contain("persistence true"));
            Assert.That(
                Lines(
                    new(isTuned: false, BrokerTransport.Tcp)
                    {
                        Settings = BrokerSpecification.Parse("mosquitto:autosave=2min").Settings,
                    }
                ),
                Does.Contain("persistence true")
                    .And.Contain($"persistence_location {directory}/")
                    .And.Contain("autosave_interval 120")
            );
            Assert.That(
                Lines(new(isTuned: false, BrokerTransport.Tcp) { IsKept = true }),
                Does.Contain("persistence true").And.None.StartsWith("autosave_interval")
            );
        }
        finally
        {
            Directory.Delete(directory, recursive: true);
        }

        string[] Lines(MosquittoRecipe recipe)
        {
            recipe.Prepare(directory, 1883);
            return File.ReadAllLines(Path.Combine(directory, "mosquitto.conf"));
        }
    }
}
