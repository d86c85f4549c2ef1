using System.Net;
using MqttCheck.Workers.Joining;

namespace MqttCheck.Workers.Tests.Joining;

[TestFixture]
internal sealed class WorkerSecurityTests
{
    private const string Key = "a key of more than sixteen characters";

    [Test]
    public void Beyond_loopback_both_a_certificate_and_a_key_are_needed()
    {
        using var certificate = new CertificateFile();
        var elsewhere = IPAddress.Parse("192.0.2.7");
        Assert.That(
            () => WorkerSecurity.Of(null, null).RequireFor(elsewhere),
            Throws
                .TypeOf<InputException>()
                .With.Message.Contains("--certificate FILE and a shared key in MQTTCHECK_WORKER_KEY")
        );
        Assert.That(
            () => WorkerSecurity.Of(certificate.Path, null).RequireFor(elsewhere),
            Throws.TypeOf<InputException>().With.Message.Contains("this one with a shared key")
        );
        Assert.That(
            () => WorkerSecurity.Of(null, Key).RequireFor(elsewhere),
            Throws.TypeOf<InputException>().With.Message.Contains("this one with --certificate FILE.")
        );
        Assert.That(() => WorkerSecurity.Of(certificate.Path, Key).RequireFor(elsewhere), Throws.Nothing);
        Assert.That(() => WorkerSecurity.Of(null, null).RequireFor(IPAddress.Loopback), Throws.Nothing);
    }

    [Test]
    public void A_short_key_and_a_file_without_a_key_are_refused()
    {
        Assert.That(
            () => WorkerSecurity.Of(null, "short"),
            Throws.TypeOf<InputException>().With.Message.Contains("it has 5 characters; allowed: at least 16")
        );
        Assert.That(
            () => WorkerSecurity.Of("no-such.pem", Key),
            Throws.TypeOf<InputException>().With.Message.Contains("'no-such.pem' cannot be used")
        );
    }

    [Test]
    public void Only_certificates_of_the_file_are_trusted()
    {
        using CertificateFile own = new(),
            other = new();
        var security = WorkerSecurity.Of(own.Path, Key);
        Assert.That(security.Trusts(security.Certificate), Is.True);
        Assert.That(
            (security.Trusts(WorkerSecurity.Of(other.Path, Key).Certificate), security.Trusts(null)),
            Is.EqualTo((false, false))
        );
    }
}
