using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace MqttCheck.Workers.Tests.Joining;

/// <summary>A certificate of its own in a file, deleted at the end.</summary>
internal sealed class CertificateFile : IDisposable
{
    public CertificateFile()
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=mqttcheck", key, HashAlgorithmName.SHA256);
        using var certificate = request.CreateSelfSigned(
            DateTimeOffset.UnixEpoch,
            DateTimeOffset.UnixEpoch.AddYears(200)
        );
        File.WriteAllText(Path, certificate.ExportCertificatePem() + "\n" + key.ExportPkcs8PrivateKeyPem());
    }

    public string Path { get; } = System.IO.Path.GetTempFileName();

    public void Dispose() => File.Delete(Path);
}
