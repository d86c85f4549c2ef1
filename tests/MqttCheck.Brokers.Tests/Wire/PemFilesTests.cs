using MqttCheck.Brokers.Wire.Tls;

namespace MqttCheck.Brokers.Tests.Wire;

/// <summary>Certificates and keys from files.</summary>
public sealed class PemFilesTests : DirectoryFixture
{
    [Test]
    public void A_certificate_and_its_key_are_read_from_two_files_or_from_one()
    {
        using var own = TestCertificates.Create("device-2");
        var (certificate, key) = TestCertificates.Write(Folder, "own", own);
        Assert.That(
            PemFiles.ReadCertificateWithKey(certificate, key, "--cert").TargetCertificate.Subject,
            Is.EqualTo("CN=device-2")
        );
        var both = In("both.pem");
        File.WriteAllText(both, File.ReadAllText(certificate) + "\n" + File.ReadAllText(key));
        Assert.That(PemFiles.ReadCertificateWithKey(both, null, "--cert").TargetCertificate.HasPrivateKey, Is.True);
        Assert.That(PemFiles.ReadCertificates(certificate, "--ca-file"), Has.Count.EqualTo(1));
    }

    [Test]
    public void A_file_that_cannot_be_used_gives_a_message_that_names_it()
    {
        using var own = TestCertificates.Create("device-2");
        using var other = TestCertificates.Create("device-3");
        var (certificate, _) = TestCertificates.Write(Folder, "own", own);
        var (_, wrongKey) = TestCertificates.Write(Folder, "other", other);
        var empty = In("empty.pem");
        File.WriteAllText(empty, "nothing");
        Assert.That(
            () => PemFiles.ReadCertificates("missing.pem", "--ca-file"),
            Throws.TypeOf<InputException>().With.Message.StartsWith("--ca-file: 'missing.pem' cannot be used")
        );
        WrongValue.AssertRefused(
            ("holds no certificate", () => PemFiles.ReadCertificates(empty, "--ca-file")),
            (wrongKey, () => PemFiles.ReadCertificateWithKey(certificate, wrongKey, "--cert")),
            ("", () => PemFiles.ReadCertificateWithKey(certificate, null, "--cert")),
            ("missing.key", () => PemFiles.ReadCertificateWithKey(certificate, "missing.key", "--cert"))
        );
    }
}
