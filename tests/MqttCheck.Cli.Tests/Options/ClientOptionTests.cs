using System.Diagnostics;
using MqttCheck.Brokers.Wire;
using MqttCheck.Cli.Options;

namespace MqttCheck.Cli.Tests.Options;

internal sealed class ClientOptionTests : DirectoryFixture
{
    [Test]
    public void Each_name_is_a_client_that_says_it() =>
        Assert.That(ClientOption.Names.Select(name => ClientOption.Choose(name).Name), Is.EqualTo(ClientOption.Names));

    [Test]
    public void What_a_log_says_is_the_client_again()
    {
        var mqttNet = ClientOption.Choose("mqttnet");

        Assert.That(ClientOption.Logged(mqttNet.ToString()), Is.SameAs(mqttNet));
        Assert.That(ClientOption.Logged(null), Is.SameAs(ClientKind.Own));
        Assert.That(
            () => ClientOption.Logged("paho 2.1"),
            Throws
                .TypeOf<InputException>()
                .With.Message.Contains("'paho 2.1'")
                .And.Message.Contains("allowed: own, mqttnet")
        );
    }

    // The system lists the files that a process has mapped; .NET maps assemblies.
    [Test, Platform("Linux")]
    [Category("Whole")]
    public async Task Nothing_of_MQTTnet_is_loaded_without_being_asked_for([Values("own", "mqttnet")] string client)
    {
        using var child = Process.Start(
            new ProcessStartInfo(
                Path.Combine(AppContext.BaseDirectory, "MqttCheck.Cli"),
                ["bench", "--client", client, "--pairs", "1", "--rate", "10", "--for", "60s"]
            )
            {
                WorkingDirectory = Folder,
                RedirectStandardError = true,
                RedirectStandardOutput = true,
            }
        )!;
        try
        {
            // By then its clients have connected and messages flow.
            while (
                await child.StandardError.ReadLineAsync() is { } line
                && !line.Contains(" sent, ", StringComparison.Ordinal)
            ) { }
            var loaded = File.ReadAllLines($"/proc/{child.Id}/maps")
                .Where(line => line.EndsWith(".dll", StringComparison.Ordinal))
                .Select(line => Path.GetFileName(line))
                .Distinct()
                .ToArray();
            Assert.That(loaded, Does.Contain("MqttCheck.Brokers.dll"));
            Assert.That(
                loaded.Where(name => name.StartsWith("MQTTnet", StringComparison.Ordinal)),
                client == "own" ? Is.Empty : Is.EqualTo(new[] { "MQTTnet.dll" })
            );
        }
        finally
        {
            child.Kill();
            await child.WaitForExitAsync();
        }
    }
}
