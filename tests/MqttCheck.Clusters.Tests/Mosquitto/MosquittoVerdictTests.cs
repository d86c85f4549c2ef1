using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using MqttCheck.Clusters.Mosquitto;
using MqttCheck.Clusters.Mosquitto.Reading;

namespace MqttCheck.Clusters.Tests.Mosquitto;

/// <summary>The verdicts of the reader beside those of the installed Mosquitto.</summary>
[TestFixture]
internal sealed class MosquittoVerdictTests : DirectoryFixture
{
    [TestCaseSource(typeof(ConfCases), nameof(ConfCases.Alike))]
    public void The_reader_takes_what_Mosquitto_takes_and_refuses_the_rest_at_its_line(int line, string text) =>
        Assert.That(ConfVerdict.OfReader(Write(text)), line < 0 ? Is.GreaterThan(0) : Is.EqualTo(line));

    [TestCaseSource(typeof(ConfCases), nameof(ConfCases.Later))]
    public void Settings_of_later_versions_are_taken_and_remembered(int line, string text)
    {
        var conf = MosquittoConfReader.Read("a", Write(text));
        Assert.That(conf.NewerLines.Select(newer => newer.Place.Line), Is.EqualTo([line]));
        Assert.That(ConfKeys.Since(conf.NewerLines[0]), Is.GreaterThan(ConfKeys.Followed));
    }

    [TestCaseSource(typeof(ConfCases), nameof(ConfCases.Stricter))]
    public void Lines_that_Mosquitto_takes_by_mistake_are_refused(int line, string text) =>
        Assert.That(ConfVerdict.OfReader(Write(text)), Is.EqualTo(line));

    [TestCaseSource(typeof(ConfCases), nameof(ConfCases.Alike))]
    [TestCaseSource(typeof(ConfCases), nameof(ConfCases.Later))]
    public void The_table_is_that_of_the_installed_Mosquitto(int line, string text)
    {
        Missing.Require("mosquitto", "apt-get install mosquitto (Debian, Ubuntu), brew install mosquitto (macOS)");
        Assert.That(Installed(Write(text)), Is.EqualTo(line));
    }

    private string Write(string text)
    {
        var path = In("a.conf");
        var bytes = Encoding.Latin1.GetString(Encoding.UTF8.GetBytes(text.Replace("{port}", FreePort())));
        File.WriteAllBytes(path, Encoding.Latin1.GetBytes(bytes.Replace("\\xff", "\xff")));
        return path;
    }

    // The broker opens no other port than a free one of the loopback.
    private static int Installed(string path)
    {
        var hasUser = File.ReadAllBytes(path).AsSpan().StartsWith("user "u8);
        File.AppendAllText(
            path,
            $"{(hasUser ? "" : $"user {Environment.UserName}\n")}log_dest stderr\nlog_type all\n"
                + $"listener {FreePort()} 127.0.0.1\n"
        );
        return ConfVerdict.OfMosquitto(path);
    }

    private static string FreePort()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port.ToString(CultureInfo.InvariantCulture);
    }
}
