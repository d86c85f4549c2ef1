using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace MqttCheck.Brokers.Wire.Tls;

/// <summary>Reads certificates and keys from PEM files.</summary>
internal static class PemFiles
{
    /// <summary>Reads one or more certificates.</summary>
    /// <param name="path">The file.</param>
    /// <param name="meaning">
    /// The purpose of the file, such as the option that names it; begins the message of an error.
    /// </param>
    /// <exception cref="InputException">The file cannot be read or holds no certificate.</exception>
    public static X509Certificate2Collection ReadCertificates(string path, string meaning)
    {
        var certificates = new X509Certificate2Collection();
        try
        {
            certificates.ImportFromPem(File.ReadAllText(path));
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException or CryptographicException)
        {
            throw Unreadable(meaning, path, failure);
        }
        if (certificates.Count == 0)
            throw new InputException(
                $"{meaning}: '{path}' holds no certificate; allowed: a PEM file with 'BEGIN CERTIFICATE'."
            );
        return certificates;
    }

    /// <summary>Reads a certificate, the ones that sign it if they follow, and its private key.</summary>
    /// <param name="certificatePath">The file with the certificates, the own one first.</param>
    /// <param name="keyPath">
    /// The file with the key, not encrypted; null when the key is in the file of the certificate.
    /// </param>
    /// <param name="meaning">
    /// The purpose of the files, such as the options that name them; begins the message of an error.
    /// </param>
    /// <exception cref="InputException">A file cannot be read, or the key does not fit.</exception>
    public static SslStreamCertificateContext ReadCertificateWithKey(
        string certificatePath,
        string? keyPath,
        string meaning
    )
    {
        var chain = ReadCertificates(certificatePath, meaning);
        try
        {
            // The key takes a detour by PKCS #12, because Windows does not serve TLS with a key that exists in memory
            // only.
            using var parsed = X509Certificate2.CreateFromPemFile(certificatePath, keyPath);
            var own = X509CertificateLoader.LoadPkcs12(parsed.Export(X509ContentType.Pkcs12), null);
            chain.RemoveAt(0);
            return SslStreamCertificateContext.Create(own, chain, offline: true);
        }
        catch (Exception failure)
            when (failure is IOException or UnauthorizedAccessException or CryptographicException or ArgumentException)
        {
            throw Unreadable(meaning, keyPath ?? certificatePath, failure);
        }
    }

    private static InputException Unreadable(string meaning, string path, Exception failure) =>
        new(
            $"{meaning}: '{path}' cannot be used: {failure.Message.TrimEnd('.')}; "
                + "allowed: PEM files, the key not encrypted and fitting the certificate.",
            failure
        );
}
